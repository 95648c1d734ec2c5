import { decodeRawUrlBase64 } from '../../go/base64.js';
import type { JsonObject } from '../../go/json/node.js';
import { quote } from '../../go/quote.js';
import { goTimeText } from '../../go/time-text.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { type IdToken, readIdToken } from './id-token.js';
import { membersNamed, readClaims, textIn } from './json-claims.js';
import type { KeySet } from './key-set.js';
import { goList, messageOf, parseSigned, type SignedToken } from './signed-token.js';
import { isTokenSignedBy } from './token-signature.js';

/** Which tokens an issuer's authenticator accepts. */
export interface TokenRules {
  readonly server: ApiServer;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly now: () => Date;
}

/** Returns the issuer that a token names, which is not verified yet; undefined for what is not a JWT. Source: apiserver oidc.go untrustedIssuer. */
export function untrustedIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (token.trim().startsWith('{') || parts.length !== 3) return undefined;
  try {
    const issuer =
      membersNamed(readClaims(decodeRawUrlBase64(parts[1] ?? '')), 'iss')
        .map(node => textIn(node))
        .at(-1) ?? '';
    return issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;
  } catch {
    return undefined;
  }
}

/**
 * Returns the claims of a valid token. Rejects with the reason for one that is not signed by a key of the issuer, meant for others, or expired.
 * Source: go-oidc verify.go IDTokenVerifier.Verify.
 */
export async function verifyToken(token: string, rules: TokenRules, keys: KeySet): Promise<JsonObject> {
  const signed = parseSigned(token, rules);
  const checkSignature = async (): Promise<void> => {
    checkAlgorithm(signed, rules);
    await verifySignature(signed, keys);
  };
  // go-oidc v2.5 looks at nothing that is not signed.
  const isSignatureFirst = rules.server.since('v1.36');
  if (isSignatureFirst) await checkSignature();
  const object = claimsObject(signed.payload);
  checkIdToken(
    unmarshalled(() => readIdToken(object, rules.server)),
    rules,
  );
  if (!isSignatureFirst) await checkSignature();
  return object;
}

function claimsObject(payload: Uint8Array): JsonObject {
  return unmarshalled(() => readClaims(payload));
}

function unmarshalled<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = messageOf(error);
    throw new Error(/^oidc: /.test(message) ? message : `oidc: failed to unmarshal claims: ${message}`);
  }
}

function checkIdToken({ issuer, audience, expiry, notBefore }: IdToken, rules: TokenRules): void {
  const isGoogle = rules.issuer === 'https://accounts.google.com' && issuer === 'accounts.google.com';
  if (issuer !== rules.issuer && !isGoogle)
    throw new Error(`oidc: id token issued by a different provider, expected ${quote(rules.issuer)} got ${quote(issuer)}`);
  const [single, ...others] = rules.audiences;
  if (others.length === 0 && !audience.includes(single ?? ''))
    throw new Error(`oidc: expected audience ${quote(single ?? '')} got ${goList(audience)}`);
  checkTimes(expiry, notBefore, rules.now());
  if (!audience.some(name => rules.audiences.includes(name)))
    throw new Error(`oidc: expected audience in ${goList([...rules.audiences].sort())} got ${goList(audience)}`);
}

const leewaySeconds = 60;

function checkTimes(expiry: bigint, notBefore: bigint | undefined, now: Date): void {
  const at = now.getTime() / 1000;
  const text = (seconds: bigint, nanoseconds = 0): string => goTimeText({ seconds, nanoseconds, offsetSeconds: 0 });
  if (Number(expiry) < at) throw new Error(`oidc: token is expired (Token Expiry: ${text(expiry)})`);
  if (notBefore !== undefined && at + leewaySeconds < Number(notBefore)) {
    const current = text(BigInt(Math.floor(at)), now.getMilliseconds() * 1e6);
    throw new Error(`oidc: current time ${current} before the nbf (not before) time: ${text(notBefore)}`);
  }
}

function checkAlgorithm({ algorithm }: SignedToken, { algorithms }: TokenRules): void {
  if (algorithms.includes(algorithm)) return;
  throw new Error(`oidc: id token signed with unsupported algorithm, expected ${goList(algorithms)} got ${quote(algorithm)}`);
}

/** Source: go-oidc jwks.go verify. */
async function verifySignature(token: SignedToken, keys: KeySet): Promise<void> {
  const isSigned = (candidates: Awaited<ReturnType<KeySet['read']>>): boolean =>
    candidates.some(({ id, key }) => (token.keyId === '' || id === token.keyId) && !token.isCritical && isTokenSignedBy(key, token));
  if (isSigned(keys.known())) return;
  try {
    if (keys.isStale() && isSigned(await keys.read())) return;
  } catch (error) {
    throw new Error(`failed to verify signature: fetching keys ${messageOf(error)}`);
  }
  throw new Error('failed to verify signature: failed to verify id token signature');
}
