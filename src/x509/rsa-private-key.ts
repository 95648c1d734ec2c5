import { bitLength } from './public-key.js';

/** The numbers of an RSA private key. */
export interface RsaPrivateKey {
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
export function isConsistent(key: RsaPrivateKey): boolean {
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
