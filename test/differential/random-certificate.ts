import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as der from '../../src/certificates/der-writer.js';
import type { Random } from './random.js';

/** A random number generator with a frequency of unusual values. */
export interface Oddities extends Random {
  /** True in at most `percent` of 100 cases, never in an ordinary question. */
  odd(percent: number): boolean;
}

/** Frequency of unusual values, in percent: 0 for an ordinary question, 100 for a maximally unusual one. */
export function withOddities(random: Random, share: number): Oddities {
  return { ...random, odd: percent => random.chance(share) && random.chance(percent) };
}

/** A key and its names in certificates. */
export interface Signer {
  readonly key: KeyObject;
  readonly info: Uint8Array;
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'other';
}

/** A generated authority or leaf. */
export interface Made {
  readonly der: Uint8Array;
  readonly subject: Uint8Array;
  readonly signer: Signer;
  readonly keyId: Uint8Array;
}

/** Keys are generated once per run; no answer depends on their bits. */
export function makeSigners(): Signer[] {
  const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
  const rsa = (modulusLength: number, publicExponent = 65537) => generateKeyPairSync('rsa', { modulusLength, publicExponent });
  const pairs = [
    ...[ec('P-256'), ec('P-256'), ec('P-256'), ec('P-384'), ec('P-521')].map(pair => ({ pair, type: 'ec' as const })),
    ...[rsa(2048), rsa(1024), rsa(2048, 3)].map(pair => ({ pair, type: 'rsa' as const })),
    ...[generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')].map(pair => ({ pair, type: 'ed25519' as const })),
    { pair: ec('secp224r1'), type: 'ec' as const },
    { pair: rsa(768), type: 'rsa' as const },
    { pair: generateKeyPairSync('x25519'), type: 'other' as const },
    { pair: generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }), type: 'other' as const },
    { pair: ec('secp256k1'), type: 'other' as const },
  ];
  return pairs.map(({ pair, type }) => ({ key: pair.privateKey, info: pair.publicKey.export({ format: 'der', type: 'spki' }), type }));
}

/** Keys with which a TLS server can sign. */
export const servingSigners = 10;

/** A name, mostly one of few, so that unrelated certificates share names. */
export function randomName(r: Oddities): Uint8Array {
  if (r.odd(3)) return der.sequence();
  const attribute = (id: string, value: Uint8Array) => der.set(der.sequence(der.objectIdentifier(id), value));
  const text = r.pick(['root', 'root', 'lab ca', 'int', 'int', 'Ünïcode "CA"', 'tab\there', '']);
  const value = !r.odd(20)
    ? der.utf8String(text)
    : der.derElement(
        r.pick([0x13, 0x14, 0x16, 0x1e, 0x12, 0x0c, 0x1c]),
        Buffer.from(r.pick(['root', 'a*b&', 'a@b', '\xe9\xff', '12 3', '\0r\0o', ''])),
      );
  if (r.chance(10)) return der.sequence(attribute('2.5.4.10', der.utf8String('Team "x"')));
  const parts = [attribute('2.5.4.3', value)];
  if (r.chance(10)) parts.push(attribute(r.pick(['2.5.4.10', '2.5.4.3', '2.5.4.97', '0.9.2342.19200300.100.1.25']), der.utf8String('x')));
  if (r.odd(2)) return der.sequence(der.set());
  return der.sequence(...parts);
}

/** Validity around 2026-06-01: mostly valid, in all encodings of a time. */
export function randomValidity(r: Oddities): Uint8Array {
  const odd = [
    '2601010000Z',
    '260101000000+0100',
    '260101000000-2400',
    '260101000000+0000',
    '26010100000',
    '260230000000Z',
    '490101000000Z',
  ];
  const before = !r.odd(15)
    ? der.derTime(new Date(r.pick(['2026-01-01', '2025-06-01T00:00:01Z', '1949-12-31', '2026-06-01T12:00:00Z'])))
    : oddTime(r, odd);
  const after = !r.odd(15)
    ? der.derTime(
        new Date(
          r.pick(['2027-01-01', '2027-01-01', '2050-01-01', '9999-12-31T23:59:59Z', '2027-06-30', '2026-06-01T12:00:00Z', '2027-06-30']),
        ),
      )
    : oddTime(r, [
        '2701010000Z',
        '270101000000+0130',
        '20270101000000Z',
        '20270101000000.5Z',
        '20270101000000-0800',
        '00000101000000Z',
        '270101240000Z',
      ]);
  return der.sequence(before, after);
}

function oddTime(r: Oddities, texts: readonly string[]): Uint8Array {
  const text = r.pick(texts);
  return der.derElement(r.chance(5) ? 0x18 : /^\d{14}/.test(text) ? 0x18 : 0x17, Buffer.from(text));
}

/** Options of a certificate; everything else is random. */
export interface Recipe {
  readonly subject: Uint8Array;
  readonly signer: Signer;
  readonly issuer: Made | undefined;
  readonly extensions: readonly Uint8Array[];
  readonly keyId: Uint8Array;
}

/** Encodes and signs a certificate, sometimes with an unsuitable algorithm, version or key, or with corrupted bytes. */
export function makeCertificate(r: Oddities, signers: readonly Signer[], recipe: Recipe): Made {
  const { subject, signer, issuer } = recipe;
  const signing = !r.odd(4) ? (issuer?.signer ?? signer) : r.pick(signers);
  const algorithm = randomAlgorithm(r, signing);
  const version = !r.odd(5) ? 2 : r.pick([0, 1, 3]);
  const parts = [
    ...(version === 0 ? [] : [der.explicit(0, der.derInteger(BigInt(version)))]),
    !r.odd(2)
      ? der.derInteger(BigInt(r.below(1000)))
      : der.derElement(2, Buffer.from(r.pick(['ff', '0001', '', '80', '00', '7fffffffffffffffffffffff']), 'hex')),
    algorithm.identifier,
    issuer?.subject ?? subject,
    randomValidity(r),
    subject,
    signer.info,
    ...(r.odd(1) ? [der.derElement(0x81, Uint8Array.of(0, 1))] : []),
    ...(recipe.extensions.length === 0 || (version !== 2 && r.chance(80)) ? [] : [der.explicit(3, der.sequence(...recipe.extensions))]),
  ];
  const signedPart = r.odd(12) ? mutated(r, der.sequence(...parts)) : der.sequence(...parts);
  const signature = signatureOf(signing, signedPart, algorithm);
  const outer = !r.odd(1) ? algorithm.identifier : randomAlgorithm(r, r.pick(signers)).identifier;
  const whole = der.sequence(signedPart, outer, der.bitString(!r.odd(1) ? signature : mutated(r, signature)));
  return { der: r.odd(12) ? mutated(r, whole) : whole, subject, signer, keyId: recipe.keyId };
}

interface Algorithm {
  readonly identifier: Uint8Array;
  readonly hash: string | null;
  readonly pss?: number;
}

function randomAlgorithm(r: Oddities, { type }: Signer): Algorithm {
  const id = (oid: string, parameters?: Uint8Array) =>
    der.sequence(der.objectIdentifier(oid), ...(parameters === undefined ? [] : [parameters]));
  if (r.odd(3))
    return { identifier: id(r.pick(['1.2.3', '1.2.840.10040.4.3', '2.16.840.1.101.3.4.3.2', '1.2.840.113549.1.1.14'])), hash: 'sha256' };
  const hash = r.chance(88) ? 'sha256' : r.pick(['sha384', 'sha512', 'sha1', 'md5']);
  if (type === 'rsa' || (type === 'other' && r.chance(50))) {
    if (r.chance(25)) return pssAlgorithm(r, id);
    const oids: Record<string, string> = { sha256: '11', sha384: '12', sha512: '13', sha1: '5', md5: '4' };
    return { identifier: id(`1.2.840.113549.1.1.${oids[hash]}`, !r.odd(3) ? der.nullValue() : undefined), hash };
  }
  if (type === 'ed25519') return { identifier: id('1.3.101.112', !r.odd(3) ? undefined : der.nullValue()), hash: null };
  const oids: Record<string, string> = { sha256: '3.2', sha384: '3.3', sha512: '3.4', sha1: '1' };
  return {
    identifier: id(`1.2.840.10045.4.${oids[hash] ?? '3.2'}`, !r.odd(3) ? undefined : der.nullValue()),
    hash: oids[hash] === undefined ? 'sha256' : hash,
  };
}

function pssAlgorithm(r: Oddities, id: (oid: string, parameters?: Uint8Array) => Uint8Array): Algorithm {
  const n = r.pick([1, 2, 3]);
  const salt = [0, 32, 48, 64][n] ?? 32;
  const hash = (): Uint8Array =>
    id(`2.16.840.1.101.3.4.2.${!r.odd(5) ? n : 1}`, r.chance(80) ? der.nullValue() : !r.odd(10) ? undefined : der.derInteger(1n));
  const parameters = der.sequence(
    der.explicit(0, hash()),
    der.explicit(1, id(!r.odd(3) ? '1.2.840.113549.1.1.8' : '1.2.3', hash())),
    der.explicit(2, der.derInteger(BigInt(!r.odd(5) ? salt : 20))),
    ...(r.chance(10) ? [der.explicit(3, r.chance(80) ? der.derInteger(r.chance(70) ? 1n : 2n) : der.nullValue())] : []),
    ...(r.chance(3) ? [r.pick([der.nullValue(), der.derInteger(1n), der.derElement(0x83), der.octetString(der.nullValue())])] : []),
  );
  const identifier = id('1.2.840.113549.1.1.10', !r.odd(7) ? parameters : mutated(r, parameters));
  return { identifier, hash: ['', 'sha256', 'sha384', 'sha512'][n] ?? 'sha256', pss: salt };
}

function signatureOf({ key, type }: Signer, bytes: Uint8Array, { hash, pss }: Algorithm): Uint8Array {
  if (type === 'other') return Buffer.alloc(64, 7);
  const padding = pss === undefined || type !== 'rsa' ? {} : { padding: 6, saltLength: pss };
  try {
    return sign(type === 'ed25519' ? null : (hash ?? 'sha256'), bytes, { key, ...padding });
  } catch {
    return Buffer.alloc(64, 7);
  }
}

/** A few bytes changed, removed or inserted. */
export function mutated(r: Random, bytes: Uint8Array): Uint8Array {
  const copy = [...bytes];
  for (let i = r.chance(80) ? 1 : 1 + r.below(4); i > 0 && copy.length > 0; i -= 1) {
    const at = r.below(copy.length);
    const value = r.chance(50) ? r.below(256) : ((copy[at] ?? 0) ^ (1 << r.below(8))) & 0xff;
    if (r.chance(88)) copy[at] = value;
    else if (r.chance(50)) copy.splice(at, 1);
    else copy.splice(at, 0, value);
  }
  return Uint8Array.from(copy);
}
