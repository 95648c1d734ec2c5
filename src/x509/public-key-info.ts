import { constants, createPublicKey, verify } from 'node:crypto';
import { cursorOver, readContents, readElement, tags } from './der.js';
import { readBitString } from './der-values.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';
import { type PublicKey, readAlgorithmIdentifier, readPublicKey } from './public-key.js';

const x25519 = '1.3.101.110';

/** Returns the key of a SubjectPublicKeyInfo; undefined if Go cannot parse it. X25519 keys are `ECDH`. Source: crypto/x509 ParsePKIXPublicKey. */
export function parsePublicKey(der: Uint8Array): PublicKey | { readonly type: 'ECDH' } | undefined {
  try {
    const outer = cursorOver(der);
    const info = requiredDer(readElement(outer, tags.sequence), 'x509: malformed spki');
    if (outer.at !== der.length) return undefined;
    const cursor = cursorOver(info.contents);
    const identifier = readAlgorithmIdentifier(requiredDer(readContents(cursor, tags.sequence), 'x509: malformed public key algorithm'));
    const bits = requiredDer(readBitString(cursor), 'x509: malformed subjectPublicKey');
    return identifier.algorithm === x25519 ? { type: 'ECDH' } : readPublicKey(identifier, bits);
  } catch (error) {
    if (error instanceof MalformedCertificate) return undefined;
    throw error;
  }
}

/** Reports whether a signature of SHA-256 (Ed25519: of the text itself; RSA: PSS) is by the key of a SubjectPublicKeyInfo. */
export function isSignedBy(der: Uint8Array, text: string, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return verify(isEdwards ? null : 'sha256', Buffer.from(text), key.asymmetricKeyType === 'rsa' ? pss : key, signature);
}
