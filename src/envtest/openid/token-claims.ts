import { constants, type KeyObject, verify } from 'node:crypto';
import { readUnstructured } from '../../encoding/unstructured.js';
import { ownMember } from '../../go/own-members.js';
import { isList, isMap, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { IssuerKeys } from './remote-keys.js';

/** Which tokens an issuer's authenticator accepts. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
}

/** Returns the issuer that a token names, which is not verified yet; undefined for what is not a JWT. */
export function issuerOf(token: string): string | undefined {
  const claims = decoded(token.split('.')[1] ?? '');
  return claims === undefined ? undefined : stringAt(claims, 'iss');
}

/**
 * Returns the claims of a valid token; undefined for one that is not signed by a key of the issuer, meant for others, or expired. Rejects when the issuer cannot be
 * asked. Source: go-oidc verify.go, jwks.go.
 */
export async function verifyClaims(token: string, rules: TokenRules, keys: IssuerKeys, now: Date): Promise<ValueMap | undefined> {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const [head, claims] = [decoded(header), decoded(payload)];
  if (rest.length > 0 || head === undefined || claims === undefined) return undefined;
  const [algorithm, id] = [stringAt(head, 'alg'), stringAt(head, 'kid')];
  if (!rules.algorithms.includes(algorithm) || !isAccepted(claims, rules, now)) return undefined;
  const data = { text: `${header}.${payload}`, signature: Buffer.from(signature, 'base64url'), algorithm };
  for (const fresh of [false, true]) {
    const candidates = (await keys(fresh)).filter(key => id === '' || key.id === id);
    if (candidates.some(({ key }) => isSignedBy(key, data))) return claims;
  }
  return undefined;
}

function decoded(part: string): ValueMap | undefined {
  try {
    const value = readUnstructured(Buffer.from(part, 'base64url').toString('utf8'));
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const leewaySeconds = 60;

function isAccepted(claims: ValueMap, { issuer, audience }: TokenRules, now: Date): boolean {
  const found = claims.get('aud');
  const audiences: readonly Value[] = isList(found) ? found : [found ?? null];
  const [expiry, notBefore] = [claims.get('exp'), claims.get('nbf')].map(seconds);
  const at = now.getTime() / 1000;
  if (['sub', 'nonce', 'at_hash'].some(name => typeof (claims.get(name) ?? '') !== 'string')) return false;
  if (stringAt(claims, 'iss') !== issuer || !audiences.includes(audience)) return false;
  return expiry !== undefined && expiry >= at && (notBefore === undefined || notBefore <= at + leewaySeconds);
}

/** A number, which may be a text, as Go reads a json.Number. */
function seconds(value: Value | undefined): number | undefined {
  if (typeof value === 'string') return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
}

interface Signed {
  readonly text: string;
  readonly signature: Buffer;
  readonly algorithm: string;
}

const curves: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

function isSignedBy(key: KeyObject, { text, signature, algorithm }: Signed): boolean {
  const hash = `sha${algorithm.slice(2)}`;
  const family = algorithm.slice(0, 2);
  const isRsa = key.asymmetricKeyType === 'rsa';
  if (family === 'RS') return isRsa && verify(hash, Buffer.from(text), { key, padding: constants.RSA_PKCS1_PADDING }, signature);
  if (family === 'PS') {
    const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    return isRsa && verify(hash, Buffer.from(text), pss, signature);
  }
  const isCurve = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === ownMember(curves, algorithm);
  return isCurve && verify(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature);
}
