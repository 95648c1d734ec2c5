import { ownMember } from '../go/own-members.js';
import { readPssParameters } from './pss-parameters.js';
import type { AlgorithmIdentifier } from './public-key.js';

/** Signature algorithm of a certificate. `hash` is empty if the algorithm includes hashing. */
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

/** Algorithms by object identifier. Source: crypto/x509 signatureAlgorithmDetails. */
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

/** Returns the algorithm of an identifier; undefined for one that Go cannot verify. Source: crypto/x509 getSignatureAlgorithmFromAI. */
export function signatureAlgorithmOf({ algorithm, parameters }: AlgorithmIdentifier): SignatureAlgorithm | undefined {
  if (algorithm === '1.3.101.112' && parameters.length !== 0) return undefined;
  return algorithm === '1.2.840.113549.1.1.10' ? pssAlgorithm(parameters) : ownMember(algorithms, algorithm);
}

const hashes: Readonly<Record<string, { hash: 'sha256' | 'sha384' | 'sha512'; size: bigint }>> = {
  '2.16.840.1.101.3.4.2.1': { hash: 'sha256', size: 32n },
  '2.16.840.1.101.3.4.2.2': { hash: 'sha384', size: 48n },
  '2.16.840.1.101.3.4.2.3': { hash: 'sha512', size: 64n },
};

/** Go accepts PSS only with one hash for everything, a salt of its size and the default trailer. */
function pssAlgorithm(bytes: Uint8Array): SignatureAlgorithm | undefined {
  const parameters = readPssParameters(bytes);
  if (parameters === undefined || parameters.maskFunction !== '1.2.840.113549.1.1.8' || parameters.trailer !== 1n) return undefined;
  const known = ownMember(hashes, parameters.hash);
  if (known === undefined || parameters.maskHash !== parameters.hash || parameters.saltLength !== known.size) return undefined;
  return pss(known.hash);
}
