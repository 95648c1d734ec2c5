import type { KeyObject } from 'node:crypto';
import { memoize } from '../kubernetes/memoize.js';
import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { pemText } from '../x509/pem.js';
import { generateKey, type KeyType } from './key-types.js';
import type { ServingNames } from './serving-names.js';
import { joinNames, localNames } from './serving-names.js';
import { authorityExtensions, commonName, keyIdentifier, servingExtensions, writeCertificate } from './write-certificate.js';

const dayMs = 24 * 3_600_000;

/** A new certificate must be valid for machines whose clock is slightly slow. */
export const backdatedMs = 5 * 60_000;

/** Certificate with its private key, as PEM text and parsed. */
export interface Issued {
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly certificate: Certificate;
  readonly key: KeyObject;
}

/** Validity of authorities in days. */
const authorityDays = 3650;

/** Issues an authority: SHA-256, no subordinate authorities, with a unique name. */
export async function issueAuthority(keyType: KeyType, now: Date): Promise<Issued> {
  const key = await generateKey(keyType);
  const name = commonName(`webhook-cli CA ${Buffer.from(keyIdentifier(key)).toString('hex').slice(0, 8)}`);
  const validity = { notBefore: new Date(now.getTime() - backdatedMs), notAfter: new Date(now.getTime() + authorityDays * dayMs) };
  return issued(
    writeCertificate({ issuer: name, subject: name, ...validity, publicKey: key, extensions: authorityExtensions(key) }, key),
    key,
  );
}

export interface ServingRequest {
  readonly names: ServingNames;
  readonly keyType: KeyType;
  readonly days: number;
  readonly now: Date;
}

/** Issues a serving certificate of an authority, which it does not outlive. */
export async function issueServing(
  { names, keyType, days, now }: ServingRequest,
  authority: Pick<Issued, 'certificate' | 'key'>,
): Promise<Issued> {
  const key = await generateKey(keyType);
  const { certificate: ca, key: signingKey } = authority;
  const contents = {
    issuer: ca.rawSubject,
    subject: commonName(servingCommonName(names)),
    notBefore: new Date(Math.max(now.getTime() - backdatedMs, ca.notBefore.milliseconds)),
    notAfter: new Date(Math.min(now.getTime() + days * dayMs, ca.notAfter.milliseconds)),
    publicKey: key,
    extensions: servingExtensions(names, key, ca.subjectKeyId ?? keyIdentifier(signingKey)),
  };
  return issued(writeCertificate(contents, signingKey), key);
}

/** Serving certificate and the authority that clients trust, as PEM texts. The authority's key is discarded after signing. */
export interface InMemoryCertificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Issues an authority and a serving certificate, ECDSA P-256, valid for a year for these names and the names of this machine. */
export async function issueServingPair(names: ServingNames, now: Date): Promise<InMemoryCertificates> {
  const keyType = 'ecdsa-p256';
  const authority = await issueAuthority(keyType, now);
  const serving = await issueServing({ names: joinNames(names, localNames), keyType, days: 365, now }, authority);
  return { ca: authority.certificatePem, cert: serving.certificatePem, key: serving.keyPem };
}

/** For display only; a common name has at most 64 characters. */
function servingCommonName({ dns }: ServingNames): string {
  const [first = 'webhook'] = dns;
  return first.length <= 64 ? first : 'webhook';
}

function issued(der: Uint8Array, key: KeyObject): Issued {
  return {
    certificatePem: pemText('CERTIFICATE', der),
    // Keys of authorities in memory are never written, and their serving certificates never read.
    get keyPem() {
      return key.export({ format: 'pem', type: 'pkcs8' }).toString();
    },
    get certificate() {
      return certificateOf(der);
    },
    key,
  };
}

const certificateOf = memoize((der: Uint8Array): Certificate => {
  const certificate = parseCertificate(der);
  if (typeof certificate === 'string') throw new Error(`cannot parse the issued certificate: ${certificate}`);
  return certificate;
});
