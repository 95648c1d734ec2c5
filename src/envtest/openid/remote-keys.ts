import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { rootCertificates } from 'node:tls';
import { answerText } from '../etcd/answer-text.js';

/** Returns the public keys of an issuer, with their ids; asks it again for those that it has published since. */
export type IssuerKeys = (fresh: boolean) => Promise<readonly IssuerKey[]>;

export interface IssuerKey {
  readonly id: string;
  readonly key: KeyObject;
}

const timeoutMs = 30_000;
/** A limit of this program. */
const maxBytes = 1024 * 1024;

/**
 * Returns the keys that an issuer publishes at its discovery document, read when they are needed first. Rejects when the issuer cannot be asked. Source: apiserver
 * plugin/pkg/authenticator/token/oidc, go-oidc NewProvider, jwks.go.
 */
export function issuerKeys(issuer: string, authority: string | undefined): IssuerKeys {
  let known: Promise<readonly IssuerKey[]> | undefined;
  return fresh => {
    if (known === undefined || fresh) {
      const asked = readKeys(issuer, authority);
      known = asked;
      asked.catch(() => {
        if (known === asked) known = undefined;
      });
    }
    return known;
  };
}

async function readKeys(issuer: string, authority: string | undefined): Promise<readonly IssuerKey[]> {
  const document = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, authority);
  if (memberText(document, 'issuer') !== issuer)
    throw new Error(`oidc: issuer did not match the issuer returned by provider, expected ${issuer} got ${memberText(document, 'issuer')}`);
  const { keys } = (await readJson(memberText(document, 'jwks_uri'), authority)) as { readonly keys?: unknown };
  return Array.isArray(keys) ? keys.flatMap(issuerKeyOf) : [];
}

/** A key of an unknown type is left out. */
function issuerKeyOf(jwk: unknown): IssuerKey[] {
  if (typeof jwk !== 'object' || jwk === null) return [];
  try {
    return [{ id: memberText(jwk, 'kid'), key: createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }) }];
  } catch {
    return [];
  }
}

function memberText(object: object, name: string): string {
  const value = Object.entries(object).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

async function readJson(url: string, authority: string | undefined): Promise<object> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // The default of Node is empty in the folder of executables.
    get(url, { ca: authority ?? [...rootCertificates], signal: AbortSignal.timeout(timeoutMs) }, resolve).on('error', reject);
  });
  const text = await answerText(response, maxBytes);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${text}`);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new TypeError('expected a JSON object');
  return value;
}
