import { ownMember } from '../go/own-members.js';
import { cursorOver, enter, readAnyElement, tags } from './der.js';
import { type BitString, readInt64, readInteger, readObjectIdentifier, rightAligned, unsignedOf } from './der-values.js';
import { MalformedCertificate, requiredDer } from './malformed-certificate.js';

/** Algorithm and its raw parameters (with identifier and length); empty if absent. */
export interface AlgorithmIdentifier {
  readonly algorithm: string;
  readonly parameters: Uint8Array;
}

/** Public key, as far as Go's rules need it. `DSA` can be parsed but not verified. */
export type PublicKey =
  | { readonly type: 'RSA'; readonly modulus: bigint; readonly exponent: bigint }
  | { readonly type: 'ECDSA'; readonly curve: string }
  | { readonly type: 'Ed25519' }
  | { readonly type: 'DSA' };

/** Parses the contents of an AlgorithmIdentifier. Source: crypto/x509 parseAI. */
export function readAlgorithmIdentifier(contents: Uint8Array): AlgorithmIdentifier {
  const cursor = cursorOver(contents);
  const algorithm = requiredDer(readObjectIdentifier(cursor), 'x509: malformed OID');
  if (cursor.at === contents.length) return { algorithm, parameters: new Uint8Array() };
  return { algorithm, parameters: requiredDer(readAnyElement(cursor), 'x509: malformed parameters').whole };
}

/** Parses a public key; undefined for an algorithm that Go does not support, which is not an error. Source: crypto/x509 parsePublicKey. */
export function readPublicKey(identifier: AlgorithmIdentifier, bits: BitString): PublicKey | undefined {
  const { algorithm, parameters } = identifier;
  const key = rightAligned(bits);
  switch (algorithm) {
    case '1.2.840.113549.1.1.1':
      return rsaKey(parameters, key);
    case '1.2.840.10045.2.1':
      return ecdsaKey(parameters, key);
    case '1.3.101.112':
      if (parameters.length !== 0) throw new MalformedCertificate('x509: Ed25519 key encoded with illegal parameters');
      if (key.length !== 32) throw new MalformedCertificate('x509: wrong Ed25519 public key size');
      return { type: 'Ed25519' };
    case '1.2.840.10040.4.1':
      return dsaKey(parameters, key);
    default:
      return undefined;
  }
}

/** Returns the number of bits of a positive number. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}

/** Returns whether parameters are DER's NULL. */
function isNull(parameters: Uint8Array): boolean {
  return parameters.length === 2 && parameters[0] === tags.null && parameters[1] === 0;
}

function rsaKey(parameters: Uint8Array, key: Uint8Array): PublicKey {
  if (!isNull(parameters)) throw new MalformedCertificate('x509: RSA key missing NULL parameters');
  const sequence = requiredDer(enter(cursorOver(key), tags.sequence), 'x509: invalid RSA public key');
  const modulus = requiredDer(readInteger(sequence), 'x509: invalid RSA modulus');
  const exponent = requiredDer(readInt64(sequence), 'x509: invalid RSA public exponent');
  if (modulus <= 0n) throw new MalformedCertificate('x509: RSA modulus is not a positive number');
  if (exponent <= 0n) throw new MalformedCertificate('x509: RSA public exponent is not a positive number');
  return { type: 'RSA', modulus, exponent };
}

function dsaKey(parameters: Uint8Array, key: Uint8Array): PublicKey {
  const y = requiredDer(readInteger(cursorOver(key)), 'x509: invalid DSA public key');
  const message = 'x509: invalid DSA parameters';
  const sequence = requiredDer(enter(cursorOver(parameters), tags.sequence), message);
  const numbers = [y, ...['p', 'q', 'g'].map(() => requiredDer(readInteger(sequence), message))];
  if (numbers.some(n => n <= 0n)) throw new MalformedCertificate('x509: zero or negative DSA parameter');
  return { type: 'DSA' };
}

/** A short Weierstrass curve with a = -3. */
interface Curve {
  readonly name: string;
  readonly octets: number;
  readonly prime: bigint;
  readonly b: bigint;
  /** Name in Go's error for a coordinate that is not below the prime. */
  readonly element: string;
}

const curves: Readonly<Record<string, Curve>> = {
  '1.3.132.0.33': {
    name: 'P224',
    octets: 28,
    prime: 2n ** 224n - 2n ** 96n + 1n,
    b: 0xb4050a850c04b3abf54132565044b0b7d7bfd8ba270b39432355ffb4n,
    element: 'P224Element',
  },
  '1.2.840.10045.3.1.7': {
    name: 'P256',
    octets: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    element: 'P256 element',
  },
  '1.3.132.0.34': {
    name: 'P384',
    octets: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    element: 'P384Element',
  },
  '1.3.132.0.35': {
    name: 'P521',
    octets: 66,
    prime: 2n ** 521n - 1n,
    b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    element: 'P521Element',
  },
};

/**
 * Only named curves and uncompressed points are allowed; the point must be on the curve. Source: crypto/ecdsa ParseUncompressedPublicKey.
 */
function ecdsaKey(parameters: Uint8Array, key: Uint8Array): PublicKey {
  const name = requiredDer(readObjectIdentifier(cursorOver(parameters)), 'x509: invalid ECDSA parameters');
  const curve = requiredDer(ownMember(curves, name), 'x509: unsupported elliptic curve');
  if (key[0] !== 4) throw new MalformedCertificate('ecdsa: invalid uncompressed public key');
  if (key.length !== 1 + 2 * curve.octets) throw new MalformedCertificate(`invalid ${curve.name} point encoding`);
  const x = unsignedOf(key.subarray(1, 1 + curve.octets));
  const y = unsignedOf(key.subarray(1 + curve.octets));
  const { prime } = curve;
  if (x >= prime || y >= prime) throw new MalformedCertificate(`invalid ${curve.element} encoding`);
  if ((y * y - (x * x * x - 3n * x + curve.b)) % prime !== 0n) throw new MalformedCertificate(`${curve.name} point not on curve`);
  return { type: 'ECDSA', curve: curve.name };
}
