import { createECDH, createPrivateKey, createPublicKey } from 'node:crypto';
import { ownMember } from '../go/own-members.js';
import { atEnd, constructedContextTag, cursorOver, type DerCursor, enter, nextTagIs, readAnyElement, readContents, tags } from './der.js';
import { readBitString, readInt64, readInteger, readObjectIdentifier, unsignedOf } from './der-values.js';
import { bitLength } from './public-key.js';

/** Public part of a private key. `other`: a key that Go can parse, but not use in TLS. */
export type PrivateKey =
  | { readonly type: 'RSA'; readonly modulus: bigint; readonly exponent: bigint }
  | { readonly type: 'ECDSA'; readonly curve: string; readonly point: Uint8Array }
  | { readonly type: 'Ed25519'; readonly publicKey: Uint8Array }
  | { readonly type: 'other' };

/**
 * Parses DER in the three forms that Go tries: PKCS #1, PKCS #8, SEC 1; undefined for anything else. Source: Go crypto/tls parsePrivateKey.
 */
export function parsePrivateKey(der: Uint8Array): PrivateKey | undefined {
  return parsePkcs1(der) ?? parsePkcs8(der) ?? parseSec1(der, undefined);
}

/** Source: Go crypto/x509 ParsePKCS1PrivateKey. */
function parsePkcs1(der: Uint8Array): PrivateKey | undefined {
  const outer = cursorOver(der);
  const sequence = enter(outer, tags.sequence);
  if (sequence === undefined || !atEnd(outer)) return undefined;
  const key = readRsa(sequence);
  return key !== undefined && isConsistent(key) ? { type: 'RSA', modulus: key.modulus, exponent: key.exponent } : undefined;
}

function readRsa(sequence: DerCursor): RsaPrivateKey | undefined {
  const version = readInt64(sequence);
  const modulus = readInteger(sequence);
  const exponent = readInt64(sequence);
  const numbers = [readInteger(sequence), readInteger(sequence), readInteger(sequence)];
  const [privateExponent, p, q] = numbers;
  if (version === undefined || version > 1n || modulus === undefined || exponent === undefined) return undefined;
  if (privateExponent === undefined || p === undefined || q === undefined) return undefined;
  const crt: bigint[] = [];
  while (crt.length < 3 && nextTagIs(sequence, tags.integer)) {
    const value = readInteger(sequence);
    if (value === undefined) return undefined;
    crt.push(value);
  }
  // Go reads the header of the next element before it treats an optional one as absent.
  if (!atEnd(sequence) && contentsStart(sequence.bytes, sequence.at) === undefined) return undefined;
  const otherPrimes = nextTagIs(sequence, tags.sequence) ? readPrimes(sequence) : [];
  return otherPrimes && { modulus, exponent, privateExponent, p, q, crt, otherPrimes };
}

/** Each further prime comes with two numbers that Go ignores. */
function readPrimes(sequence: DerCursor): bigint[] | undefined {
  const list = enter(sequence, tags.sequence);
  const primes: bigint[] = [];
  while (list !== undefined && !atEnd(list)) {
    const entry = enter(list, tags.sequence);
    const prime = entry && readInteger(entry);
    if (entry === undefined || prime === undefined) return undefined;
    if (readInteger(entry) === undefined || readInteger(entry) === undefined) return undefined;
    primes.push(prime);
  }
  return list && primes;
}

/** Bytes after the last field do not matter. Source: Go crypto/x509 ParsePKCS8PrivateKey. */
function parsePkcs8(der: Uint8Array): PrivateKey | undefined {
  const sequence = enter(cursorOver(der), tags.sequence);
  const version = sequence && readInt64(sequence);
  const algorithm = sequence && enter(sequence, tags.sequence);
  const name = algorithm && readObjectIdentifier(algorithm);
  const key = sequence && readContents(sequence, tags.octetString);
  if (version === undefined || algorithm === undefined || key === undefined) return undefined;
  const parameters = atEnd(algorithm) ? undefined : readAnyElement(algorithm);
  const hasParameters = parameters !== undefined;
  if (!hasParameters && !atEnd(algorithm)) return undefined;
  switch (name) {
    case '1.2.840.113549.1.1.1':
      return parsePkcs1(key);
    case '1.2.840.10045.2.1':
      return parseSec1(key, hasParameters ? readObjectIdentifier(cursorOver(parameters.whole)) : undefined);
    case '1.3.101.112':
      return !hasParameters ? ed25519Key(readContents(cursorOver(key), tags.octetString)) : undefined;
    case '1.3.101.110':
      return !hasParameters && readContents(cursorOver(key), tags.octetString)?.length === 32 ? { type: 'other' } : undefined;
    default:
      return undefined;
  }
}

interface Curve {
  readonly name: string;
  readonly openSslName: string;
  readonly octets: number;
  readonly order: bigint;
}

const curves: Readonly<Record<string, Curve>> = {
  '1.3.132.0.33': {
    name: 'P224',
    openSslName: 'secp224r1',
    octets: 28,
    order: 0xffffffffffffffffffffffffffff16a2e0b8f03e13dd29455c5c2a3dn,
  },
  '1.2.840.10045.3.1.7': {
    name: 'P256',
    openSslName: 'prime256v1',
    octets: 32,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  '1.3.132.0.34': {
    name: 'P384',
    openSslName: 'secp384r1',
    octets: 48,
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  '1.3.132.0.35': {
    name: 'P521',
    openSslName: 'secp521r1',
    octets: 66,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
};

/** `curveName` comes from a PKCS #8 wrapping and takes precedence. Source: Go crypto/x509 parseECPrivateKey. */
function parseSec1(der: Uint8Array, curveName: string | undefined): PrivateKey | undefined {
  const sequence = enter(cursorOver(der), tags.sequence);
  const version = sequence && readInt64(sequence);
  const secret = sequence && readContents(sequence, tags.octetString);
  if (sequence === undefined || version !== 1n || secret === undefined) return undefined;
  const ownName = readOptional(sequence, 0, { tag: tags.objectIdentifier, read: readObjectIdentifier });
  if (ownName === 'invalid') return undefined;
  if (readOptional(sequence, 1, { tag: tags.bitString, read: readBitString }) === 'invalid') return undefined;
  const curve = ownMember(curves, curveName ?? ownName?.value ?? '');
  const scalar = unsignedOf(secret);
  if (curve === undefined || scalar === 0n || scalar >= curve.order) return undefined;
  const pair = createECDH(curve.openSslName);
  pair.setPrivateKey(scalar.toString(16).padStart(curve.octets * 2, '0'), 'hex');
  return { type: 'ECDSA', curve: curve.name, point: pair.getPublicKey() };
}

interface InnerType<T> {
  readonly tag: number;
  readonly read: (cursor: DerCursor) => T | undefined;
}

/**
 * Reads an optional element within an explicit tag; undefined if absent. Go ignores the length of the outer tag, and takes an inner
 * element of another type for an absent one. Source: Go encoding/asn1 parseField.
 */
function readOptional<T>(sequence: DerCursor, n: number, { tag, read }: InnerType<T>): { readonly value: T } | 'invalid' | undefined {
  if (atEnd(sequence)) return undefined;
  const start = contentsStart(sequence.bytes, sequence.at);
  if (start === undefined || start >= sequence.bytes.length) return 'invalid';
  if (!nextTagIs(sequence, constructedContextTag(n))) return undefined;
  if (sequence.bytes[sequence.at + 1] === 0 || contentsStart(sequence.bytes, start) === undefined) return 'invalid';
  const inner = { bytes: sequence.bytes, at: start };
  if (!nextTagIs(inner, tag)) return undefined;
  const value = read(inner);
  if (value === undefined) return 'invalid';
  sequence.at = inner.at;
  return { value };
}

/** Returns the offset after identifier and length of an element; undefined if they are invalid. */
function contentsStart(bytes: Uint8Array, at: number): number | undefined {
  const length = bytes[at + 1];
  if (length === undefined) return undefined;
  const octets = length < 0x80 ? 0 : length & 0x7f;
  const isMinimal = octets === 0 ? length < 0x80 : bytes[at + 2] !== 0 && (octets > 1 || (bytes[at + 2] ?? 0) >= 0x80);
  return isMinimal && octets <= 4 && at + 2 + octets <= bytes.length ? at + 2 + octets : undefined;
}

function ed25519Key(seed: Uint8Array | undefined): PrivateKey | undefined {
  if (seed?.length !== 32) return undefined;
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const spki = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({ format: 'der', type: 'spki' });
  return { type: 'Ed25519', publicKey: spki.subarray(-32) };
}

/** The numbers of an RSA private key. */
interface RsaPrivateKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly privateExponent: bigint;
  readonly p: bigint;
  readonly q: bigint;
  /** d mod (p-1), d mod (q-1), inverse of q; the last ones may be absent. */
  readonly crt: readonly bigint[];
  /** Primes beyond the first two. */
  readonly otherPrimes: readonly bigint[];
}

/** Returns whether Go accepts the numbers as a key. Source: Go crypto/rsa PrivateKey.Validate, fips140/rsa checkPrivateKey. */
function isConsistent(key: RsaPrivateKey): boolean {
  const { modulus, exponent, privateExponent, p, q, crt, otherPrimes } = key;
  if ([modulus, privateExponent, p, q, ...crt, ...otherPrimes].some(n => n <= 0n)) return false;
  if (modulus % 2n === 0n || exponent < 2n || exponent % 2n === 0n || exponent > 0x7fffffffn) return false;
  if (privateExponent >= modulus || [p, q, ...otherPrimes].some(n => n < 2n)) return false;
  // Keys with more than two primes are hardly checked.
  return otherPrimes.length > 0 ? arePairwiseCoprime([p, q, ...otherPrimes]) : isTwoPrimeKey(key);
}

function isTwoPrimeKey({ modulus, exponent, privateExponent, p, q, crt }: RsaPrivateKey): boolean {
  if (p >= modulus || q >= modulus || (p * q) % modulus !== 0n) return false;
  // Go takes the precomputed numbers only if all three are there.
  const isComplete = crt.length === 3;
  const [dP = 0n, dQ = 0n, inverse = 0n] = isComplete ? crt : [privateExponent % (p - 1n), privateExponent % (q - 1n)];
  if (!isInverse(exponent, dP, p - 1n) || !isInverse(exponent, dQ, q - 1n)) return false;
  if (isComplete ? !isInverse(q, inverse, p) : p % 2n === 0n || gcd(p, q) !== 1n) return false;
  if (privateExponent % (p - 1n) !== dP || privateExponent % (q - 1n) !== dQ) return false;
  const half = Math.floor(bitLength(modulus) / 2);
  return bitLength(p > q ? p - q : q - p) > half - 100 && bitLength(privateExponent) > half;
}

function isInverse(a: bigint, inverse: bigint, modulus: bigint): boolean {
  return inverse < modulus && (a * inverse) % modulus === 1n;
}

function arePairwiseCoprime(numbers: readonly bigint[]): boolean {
  let product = 1n;
  for (const number of numbers) {
    if (gcd(product, number) !== 1n) return false;
    product *= number;
  }
  return true;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}
