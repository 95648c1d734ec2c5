import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as der from '../../src/certificates/der-writer.js';
import { pemText } from '../../src/x509/pem.js';

/** Differences from a plain certificate that Go accepts. */
export interface Differences {
  readonly subject?: string;
  readonly issuer?: Made;
  readonly key?: KeyObject;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly isAuthority?: boolean;
  readonly dns?: readonly string[];
  /** Extensions by object identifier that replace or extend the plain ones; undefined removes one. */
  readonly extensions?: Readonly<Record<string, Extension | undefined>>;
  readonly serialNumber?: bigint;
  /** `md5` requires an RSA key. */
  readonly hash?: keyof typeof algorithms;
}

const algorithms = {
  sha256: der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2')),
  sha1: der.sequence(der.objectIdentifier('1.2.840.10045.4.1')),
  md5: der.sequence(der.objectIdentifier('1.2.840.113549.1.1.4'), der.nullValue()),
};

export interface Extension {
  readonly value: Uint8Array;
  readonly critical?: boolean;
}

export interface Made {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly key: KeyObject;
  readonly keyPem: string;
  readonly subject: string;
}

/** Creates a certificate that Go accepts on 2026-06-01 for `localhost`, except for the differences. ECDSA P-256. */
export function makeCertificate(differences: Differences = {}): Made {
  const { subject = differences.isAuthority === true ? 'root' : 'webhook', issuer } = differences;
  const key = differences.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signer = issuer?.key ?? key;
  const algorithm = algorithms[differences.hash ?? 'sha256'];
  const signedPart = der.sequence(
    der.explicit(0, der.derInteger(2n)),
    serialNumber(differences.serialNumber ?? 1n),
    algorithm,
    nameOf(issuer?.subject ?? subject),
    der.sequence(
      der.derTime(differences.notBefore ?? new Date('2026-01-01T00:00:00Z')),
      der.derTime(differences.notAfter ?? new Date('2027-01-01T00:00:00Z')),
    ),
    nameOf(subject),
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    der.explicit(3, der.sequence(...extensionsOf(differences))),
  );
  const whole = der.sequence(signedPart, algorithm, der.bitString(sign(differences.hash ?? 'sha256', signedPart, signer)));
  const keyPem = key.export({ format: 'pem', type: 'pkcs8' }).toString();
  return { der: whole, pem: pemText('CERTIFICATE', whole), key, keyPem, subject };
}

/** subjectAltName with these names. */
export function alternativeNames(...names: readonly Uint8Array[]): Extension {
  return { value: der.sequence(...names) };
}

export const dnsName = (name: string): Uint8Array => der.implicit(2, Buffer.from(name, 'latin1'));
export const ipName = (...octets: readonly number[]): Uint8Array => der.implicit(7, Uint8Array.from(octets));

/** Down to -128, because the writer of certificates creates only positive ones. */
function serialNumber(value: bigint): Uint8Array {
  return value < 0n ? der.derElement(2, Uint8Array.of(Number(256n + value))) : der.derInteger(value);
}

function nameOf(text: string): Uint8Array {
  return der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(text))));
}

function extensionsOf({ isAuthority = false, dns = ['localhost'], extensions = {} }: Differences): Uint8Array[] {
  const plain: Record<string, Extension | undefined> = isAuthority
    ? {
        '2.5.29.19': { value: der.sequence(der.boolean(true)), critical: true },
        '2.5.29.15': { value: der.bitString(Uint8Array.of(6), 1), critical: true },
      }
    : { '2.5.29.17': alternativeNames(...dns.map(dnsName)) };
  return Object.entries({ ...plain, ...extensions }).flatMap(([id, extension]) => {
    if (extension === undefined) return [];
    const critical = extension.critical === true ? [der.boolean(true)] : [];
    return [der.sequence(der.objectIdentifier(id), ...critical, der.octetString(extension.value))];
  });
}
