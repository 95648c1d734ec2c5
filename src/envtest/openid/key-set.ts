import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { ownMember } from '../../go/own-members.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type HttpAnswer, type HttpGet, jsonOf, memberText } from './http-client.js';

/** The public keys of an issuer. */
export interface KeySet {
  /** Those that were read last. */
  readonly known: () => readonly IssuerKey[];
  /** Whether the issuer may have others by now. */
  readonly isStale: () => boolean;
  /** Asks the issuer. Rejects when it cannot be asked. */
  readonly read: () => Promise<readonly IssuerKey[]>;
}

export interface IssuerKey {
  readonly id: string;
  readonly key: KeyObject;
}

const expiryDeltaMs = 30_000;

/** Returns the keys at a URL, which are read when a token needs them. Source: go-oidc jwks.go remoteKeySet. */
export function remoteKeySet(server: ApiServer, url: string, { get, now }: { readonly get: HttpGet; readonly now: () => Date }): KeySet {
  let keys: readonly IssuerKey[] = [];
  let expiry = 0;
  let asking: Promise<readonly IssuerKey[]> | undefined;
  const ask = async (): Promise<readonly IssuerKey[]> => {
    const answer = await get(url).catch((error: Error) => {
      throw new Error(`oidc: get keys failed ${error.message}`);
    });
    if (answer.code !== 200) throw new Error(`oidc: get keys failed: ${answer.status} ${answer.text}`);
    keys = keysIn(server, answer);
    // go-oidc v3 does not look at the headers.
    expiry = now().getTime() + (server.since('v1.38') ? 0 : maxAgeMs(answer));
    return keys;
  };
  return {
    known: () => keys,
    isStale: () => now().getTime() + expiryDeltaMs > expiry,
    read: () => {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

function keysIn(server: ApiServer, answer: HttpAnswer): IssuerKey[] {
  try {
    const { keys } = jsonOf(answer) as { readonly keys?: unknown };
    return Array.isArray(keys) ? keys.flatMap(key => issuerKeyOf(server, key)) : [];
  } catch (error) {
    throw new Error(`oidc: failed to decode keys: ${error instanceof Error ? error.message : String(error)} ${answer.text}`);
  }
}

/** An object is a key; a symmetric one verifies nothing here. Throws Error for an invalid key. Source: go-jose jwk.go. */
function issuerKeyOf(server: ApiServer, jwk: unknown): IssuerKey[] {
  if (typeof jwk !== 'object' || jwk === null) return [];
  const problem = keyProblem(jwk);
  // go-jose v4 leaves out keys of unknown types.
  if (problem === unknownType(jwk) && server.since('v1.38')) return [];
  if (problem !== undefined) throw new Error(`${notJson}${problem}`);
  if (memberText(jwk, 'kty') === 'oct') return [];
  try {
    return [{ id: memberText(jwk, 'kid'), key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }) }];
  } catch {
    throw new Error(`${notJson}go-jose/go-jose: invalid ${memberText(jwk, 'kty')} key`);
  }
}

const notJson = 'got Content-Type = application/json, but could not unmarshal as JSON: ';
const curveBytes: Readonly<Record<string, number>> = { 'P-256': 32, 'P-384': 48, 'P-521': 66 };

/** Returns why a key is invalid; undefined for others. */
export function keyProblem(jwk: object): string | undefined {
  const [type, curve, x, y] = ['kty', 'crv', 'x', 'y'].map(name => memberText(jwk, name)) as [string, string, string, string];
  if (!['EC', 'RSA', 'oct', 'OKP'].includes(type)) return unknownType(jwk);
  if (type === 'RSA' && (memberText(jwk, 'n') === '' || memberText(jwk, 'e') === ''))
    return 'go-jose/go-jose: invalid RSA key, missing n/e values';
  if (type !== 'EC') return undefined;
  const size = ownMember(curveBytes, curve);
  if (size === undefined) return `go-jose/go-jose: unsupported elliptic curve '${curve}'`;
  if (x === '' || y === '') return 'go-jose/go-jose: invalid EC key, missing x/y values';
  const isSized = (text: string): boolean => Buffer.from(text, 'base64url').length === size;
  if (!isSized(x)) return 'go-jose/go-jose: invalid EC public key, wrong length for x';
  return isSized(y) ? undefined : 'go-jose/go-jose: invalid EC public key, wrong length for y';
}

function unknownType(jwk: object): string {
  return `go-jose/go-jose: unknown json web key type '${memberText(jwk, 'kty')}'`;
}

/** Returns how long a response may be kept. */
function maxAgeMs({ headers }: HttpAnswer): number {
  const control = headers['cache-control'] ?? '';
  if (/(?:^|,)\s*no-(?:store|cache)/i.test(control)) return 0;
  return Number(/(?:^|,)\s*max-age=(\d+)/i.exec(control)?.[1] ?? 0) * 1000;
}
