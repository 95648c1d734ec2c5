import { constructedContextTag, cursorOver, type DerCursor, readAnyElement, tags } from './der.js';
import { readInt64, readObjectIdentifier } from './der-values.js';
import { type AlgorithmIdentifier, isNull } from './public-key.js';

/** How a certificate is signed. `hash` is empty where the algorithm hashes by itself. */
export interface SignatureAlgorithm {
  /** Go's name, as in `insecure algorithm SHA1-RSA`. */
  readonly name: string;
  readonly keyType: 'RSA' | 'ECDSA' | 'Ed25519' | 'DSA';
  readonly hash: '' | 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';
  readonly pss: boolean;
}

const rsa = (name: string, hash: SignatureAlgorithm['hash']): SignatureAlgorithm => ({ name, keyType: 'RSA', hash, pss: false });
const pss = (hash: 'sha256' | 'sha384' | 'sha512'): SignatureAlgorithm => ({
  name: `${hash.toUpperCase()}-RSAPSS`,
  keyType: 'RSA',
  hash,
  pss: true,
});
const ecdsa = (name: string, hash: SignatureAlgorithm['hash']): SignatureAlgorithm => ({ name, keyType: 'ECDSA', hash, pss: false });
const dsa = (name: string, hash: SignatureAlgorithm['hash']): SignatureAlgorithm => ({ name, keyType: 'DSA', hash, pss: false });

/** Object identifier to algorithm. Source: crypto/x509 signatureAlgorithmDetails. */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '1.2.840.113549.1.1.4': rsa('MD5-RSA', 'md5'),
  '1.2.840.113549.1.1.5': rsa('SHA1-RSA', 'sha1'),
  '1.3.14.3.2.29': rsa('SHA1-RSA', 'sha1'),
  '1.2.840.113549.1.1.11': rsa('SHA256-RSA', 'sha256'),
  '1.2.840.113549.1.1.12': rsa('SHA384-RSA', 'sha384'),
  '1.2.840.113549.1.1.13': rsa('SHA512-RSA', 'sha512'),
  '1.2.840.10040.4.3': dsa('DSA-SHA1', 'sha1'),
  '2.16.840.1.101.3.4.3.2': dsa('DSA-SHA256', 'sha256'),
  '1.2.840.10045.4.1': ecdsa('ECDSA-SHA1', 'sha1'),
  '1.2.840.10045.4.3.2': ecdsa('ECDSA-SHA256', 'sha256'),
  '1.2.840.10045.4.3.3': ecdsa('ECDSA-SHA384', 'sha384'),
  '1.2.840.10045.4.3.4': ecdsa('ECDSA-SHA512', 'sha512'),
  '1.3.101.112': { name: 'Ed25519', keyType: 'Ed25519', hash: '', pss: false },
};

/** The algorithm an identifier names; undefined for one that Go cannot verify. Source: crypto/x509 getSignatureAlgorithmFromAI. */
export function signatureAlgorithmOf({ algorithm, parameters }: AlgorithmIdentifier): SignatureAlgorithm | undefined {
  if (algorithm === '1.3.101.112' && parameters.length !== 0) return undefined;
  return algorithm === '1.2.840.113549.1.1.10' ? pssAlgorithm(parameters) : algorithms[algorithm];
}

const hashes: Readonly<Record<string, { hash: 'sha256' | 'sha384' | 'sha512'; size: bigint }>> = {
  '2.16.840.1.101.3.4.2.1': { hash: 'sha256', size: 32n },
  '2.16.840.1.101.3.4.2.2': { hash: 'sha384', size: 48n },
  '2.16.840.1.101.3.4.2.3': { hash: 'sha512', size: 64n },
};

/** Go takes PSS only with one hash for everything, a salt of its size and the default trailer. */
function pssAlgorithm(parameters: Uint8Array): SignatureAlgorithm | undefined {
  const fields = into(cursorOver(parameters), tags.sequence);
  const hash = nestedIdentifier(fields, 0);
  const mask = nestedIdentifier(fields, 1);
  const maskHash = mask === undefined ? undefined : identifierIn(into(cursorOver(mask.parameters), tags.sequence));
  const salt = explicit(fields, 2);
  const saltLength = salt === undefined ? undefined : readInt64(salt);
  if (hash === undefined || mask === undefined || maskHash === undefined || saltLength === undefined) return undefined;
  if (mask.algorithm !== '1.2.840.113549.1.1.8' || maskHash.algorithm !== hash.algorithm) return undefined;
  if (![hash, maskHash].every(({ parameters: p }) => p.length === 0 || isNull(p)) || !hasDefaultTrailer(fields)) return undefined;
  const known = hashes[hash.algorithm];
  return known !== undefined && known.size === saltLength ? pss(known.hash) : undefined;
}

function hasDefaultTrailer(fields: DerCursor | undefined): boolean {
  if (fields === undefined || fields.bytes[fields.at] !== constructedContextTag(3)) return true;
  const trailer = explicit(fields, 3);
  return trailer !== undefined && readInt64(trailer) === 1n;
}

function nestedIdentifier(fields: DerCursor | undefined, n: number): AlgorithmIdentifier | undefined {
  const field = explicit(fields, n);
  return field === undefined ? undefined : identifierIn(into(field, tags.sequence));
}

function identifierIn(cursor: DerCursor | undefined): AlgorithmIdentifier | undefined {
  const algorithm = cursor === undefined ? undefined : readObjectIdentifier(cursor);
  if (cursor === undefined || algorithm === undefined) return undefined;
  return { algorithm, parameters: readAnyElement(cursor)?.whole ?? new Uint8Array() };
}

function explicit(cursor: DerCursor | undefined, n: number): DerCursor | undefined {
  return cursor === undefined ? undefined : into(cursor, constructedContextTag(n));
}

function into(cursor: DerCursor, tag: number): DerCursor | undefined {
  const element = readAnyElement(cursor);
  return element?.tag === tag ? cursorOver(element.contents) : undefined;
}
