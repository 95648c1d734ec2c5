import { constants, createPublicKey, verify } from 'node:crypto';
import type { Certificate } from './certificate.js';
import { bitLength, type PublicKey } from './public-key.js';
import type { SignatureAlgorithm } from './signature-algorithm.js';

const cannotSign = 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

/**
 * Returns Go's error if `parent` did not sign the certificate or was not allowed to. Names and dates are not checked. Source: crypto/x509
 * Certificate.CheckSignatureFrom.
 */
export function signatureError(certificate: Certificate, parent: Certificate): string | undefined {
  const { basicConstraints, keyUsage, publicKey } = parent;
  const isAuthority = basicConstraints === undefined ? parent.version < 3 : basicConstraints.isCA;
  if (!isAuthority || (keyUsage !== undefined && !keyUsage.includes('keyCertSign'))) return cannotSign;
  const algorithm = certificate.signatureAlgorithm;
  if (algorithm === undefined || publicKey === undefined) return unimplemented;
  if (algorithm.hash === 'sha1') return insecure(algorithm);
  const { rawSignedPart: signed, signature } = certificate;
  return signatureProblem({ signed, signature, algorithm }, { publicKey, info: parent.rawPublicKeyInfo });
}

/** Signed bytes, their signature, and its algorithm; undefined for one that Go cannot verify. */
export interface Signed {
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
  readonly algorithm: SignatureAlgorithm | undefined;
}

/** Public key, if Go supports it, and its SubjectPublicKeyInfo. */
export interface SigningKey {
  readonly publicKey: PublicKey | undefined;
  readonly info: Uint8Array;
}

/** Returns Go's error if a signature, which may use SHA-1, is not by the key. Source: crypto/x509 checkSignature. */
export function signatureProblem(signature: Signed, { publicKey, info }: SigningKey): string | undefined {
  const { algorithm } = signature;
  if (algorithm?.hash === 'md5') return insecure(algorithm);
  if (algorithm === undefined || publicKey === undefined || publicKey.type === 'DSA') return unimplemented;
  if (publicKey.type !== algorithm.keyType) return mismatchedKey(algorithm, publicKey.type);
  const wrongKey = publicKey.type === 'RSA' ? rsaKeyError(publicKey) : undefined;
  return wrongKey ?? (verifies(signature, info, algorithm) ? undefined : failures[algorithm.keyType]);
}

function insecure({ name }: SignatureAlgorithm): string {
  return `x509: cannot verify signature: insecure algorithm ${name}`;
}

const goTypes = { RSA: '*rsa.PublicKey', ECDSA: '*ecdsa.PublicKey', Ed25519: 'ed25519.PublicKey' } as const;

function mismatchedKey({ keyType }: SignatureAlgorithm, own: keyof typeof goTypes): string {
  return `x509: signature algorithm specifies an ${keyType} public key, but have public key of type ${goTypes[own]}`;
}

/** Returns the error for RSA keys that Go rejects. Source: crypto/rsa checkKeySize, crypto/internal/fips140/rsa checkPublicKey. */
function rsaKeyError({ modulus, exponent }: PublicKey & { type: 'RSA' }): string | undefined {
  const size = bitLength(modulus);
  if (size < 1024) return `crypto/rsa: ${size}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  if (modulus % 2n === 0n) return 'crypto/rsa: public modulus is even';
  if (exponent < 2n) return 'crypto/rsa: public exponent too small or negative';
  if (exponent % 2n === 0n) return 'crypto/rsa: public exponent is even';
  return exponent > 2n ** 31n - 1n ? 'crypto/rsa: public exponent too large' : undefined;
}

const failures = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
  DSA: unimplemented,
} as const;

/** Returns false for a key or signature that OpenSSL cannot parse. */
function verifies({ signed, signature }: Signed, info: Uint8Array, algorithm: SignatureAlgorithm): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' });
    const hash = algorithm.hash === '' ? null : algorithm.hash;
    const padding = algorithm.pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
    return verify(hash, signed, { key, ...padding }, signature);
  } catch {
    return false;
  }
}
