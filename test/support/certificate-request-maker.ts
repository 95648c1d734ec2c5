import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as der from '../../src/certificates/der-writer.js';
import { pemText } from '../../src/x509/pem.js';

const ecdsa = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

/** Parts that differ from those of a plain request. */
export interface RequestParts {
  readonly key?: KeyObject;
  readonly algorithm?: Uint8Array;
  readonly version?: Uint8Array;
  readonly subject?: Uint8Array;
  readonly attributes?: readonly Uint8Array[];
  readonly signature?: Uint8Array;
}

/** Returns a PKCS #10 request in DER; by default a valid one, with a new key on P-256. */
export function makeCertificateRequest(parts: RequestParts = {}): Uint8Array {
  const key = parts.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signedPart = der.sequence(
    parts.version ?? der.derInteger(0n),
    parts.subject ?? der.sequence(),
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    der.explicit(0, Buffer.concat(parts.attributes ?? [])),
  );
  const signature = parts.signature ?? sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', signedPart, key);
  return der.sequence(signedPart, parts.algorithm ?? ecdsa, der.bitString(signature));
}

/** Returns a valid request as a CertificateSigningRequest contains it: PEM in base64. */
export function encodedRequest(): string {
  return Buffer.from(pemText('CERTIFICATE REQUEST', makeCertificateRequest())).toString('base64');
}
