import { constants, type KeyObject, verify } from 'node:crypto';
import { ownMember } from '../../go/own-members.js';

const curves: Readonly<Record<string, string>> = { ES256: 'prime256v1', ES384: 'secp384r1', ES512: 'secp521r1' };

/** Reports whether a text is signed by a key. Source: go-jose asymmetric.go verifyPayload. */
export function isTokenSignedBy(
  key: KeyObject,
  { text, signature, algorithm }: { readonly text: string; readonly signature: Uint8Array; readonly algorithm: string },
): boolean {
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
