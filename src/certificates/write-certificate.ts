import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { parseIP } from '../go/net/ip.js';
import { memoize } from '../kubernetes/memoize.js';
import { cursorOver, enter, readElement, tags } from '../x509/der.js';
import { readBitString } from '../x509/der-values.js';
import * as der from './der-writer.js';
import type { ServingNames } from './serving-names.js';

/** Contents of a certificate. */
export interface CertificateContents {
  /** DER of a name, see {@link commonName}. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

/** Returns the DER of a certificate, version 3, with a random serial number, signed with SHA-256 (Ed25519 includes hashing). */
export function writeCertificate(contents: CertificateContents, signingKey: KeyObject): Uint8Array {
  const algorithm = signatureAlgorithm(signingKey);
  const signedPart = der.sequence(
    der.explicit(0, der.derInteger(2n)),
    der.derInteger(serialNumber()),
    algorithm,
    contents.issuer,
    der.sequence(der.derTime(contents.notBefore), der.derTime(contents.notAfter)),
    contents.subject,
    publicKeyInfo(contents.publicKey),
    der.explicit(3, der.sequence(...contents.extensions)),
  );
  const signature = sign(signingKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', signedPart, signingKey);
  return der.sequence(signedPart, algorithm, der.bitString(signature));
}

/** Returns the DER of a name with just a common name. */
export function commonName(text: string): Uint8Array {
  return der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(text))));
}

/**
 * Returns the identifier of a key in certificates: 160 bits of the SHA-256 of its bits. Memoized: a certificate contains it up to three times. Source:
 * RFC 7093, 2, method 1.
 */
export const keyIdentifier: (key: KeyObject) => Uint8Array = memoize(key => {
  const info = enter(cursorOver(publicKeyInfo(key)), tags.sequence);
  if (info === undefined) throw new Error('a public key that OpenSSL wrote has no sequence');
  readElement(info, tags.sequence);
  const bits = readBitString(info)?.bytes ?? new Uint8Array();
  return createHash('sha256').update(bits).digest().subarray(0, 20);
});

/** Returns the extensions of an authority that signs serving certificates and no authorities. */
export function authorityExtensions(key: KeyObject): Uint8Array[] {
  return [
    extension('2.5.29.19', der.sequence(der.boolean(true), der.derInteger(0n)), 'critical'),
    // keyCertSign and cRLSign, the bits 5 and 6.
    extension('2.5.29.15', der.bitString(Uint8Array.of(0b0000_0110), 1), 'critical'),
    extension('2.5.29.14', der.octetString(keyIdentifier(key))),
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(key)))),
  ];
}

/** Returns the extensions of a TLS server with these names, signed by the key of an authority. */
export function servingExtensions(names: ServingNames, key: KeyObject, authorityKeyId: Uint8Array): Uint8Array[] {
  // Digital signature; RSA keys may also have to decrypt a key exchange of TLS 1.2.
  const usage = key.asymmetricKeyType === 'rsa' ? der.bitString(Uint8Array.of(0b1010_0000), 5) : der.bitString(Uint8Array.of(0x80), 7);
  return [
    extension('2.5.29.19', der.sequence(), 'critical'),
    extension('2.5.29.15', usage, 'critical'),
    extension('2.5.29.37', der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.14', der.octetString(keyIdentifier(key))),
    extension('2.5.29.35', der.sequence(der.implicit(0, authorityKeyId))),
    extension('2.5.29.17', der.sequence(...names.dns.map(dnsName), ...names.ips.map(ipAddress))),
  ];
}

function extension(id: string, value: Uint8Array, critical?: 'critical'): Uint8Array {
  const parts = critical === undefined ? [] : [der.boolean(true)];
  return der.sequence(der.objectIdentifier(id), ...parts, der.octetString(value));
}

function dnsName(name: string): Uint8Array {
  return der.implicit(2, Buffer.from(name, 'latin1'));
}

function ipAddress(ip: string): Uint8Array {
  const octets = parseIP(ip);
  if (octets === undefined) throw new Error(`not a valid IP address: ${ip}`);
  return der.implicit(7, ip.includes(':') ? octets : octets.subarray(12));
}

/** Returns a positive number of 127 random bits. */
function serialNumber(): bigint {
  return BigInt(`0x${randomBytes(16).toString('hex')}`) >> 1n || 1n;
}

/** Returns the DER of a public key, also that of a private one. Memoized for its identifier and its certificate. */
const publicKeyInfo = memoize(
  (key: KeyObject): Uint8Array => (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' }),
);

function signatureAlgorithm(key: KeyObject): Uint8Array {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return der.sequence(der.objectIdentifier('1.2.840.113549.1.1.11'), der.nullValue());
    case 'ed25519':
      return der.sequence(der.objectIdentifier('1.3.101.112'));
    default:
      return der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));
  }
}
