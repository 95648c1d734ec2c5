import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { pemText, readPem } from '../x509/pem.js';
import { peerCertificateError } from '../x509/verify-chain.js';
import type { FolderFiles } from './certificate-folder.js';
import type { Issued } from './issue-files.js';
import { belongsTo, describeKey, type KeyType, privateKeyIn } from './key-types.js';
import { namesOf, type ServingNames } from './serving-names.js';

/** The certificates of a folder, read and with the keys that belong to them. */
export interface Current {
  readonly authority: Issued;
  /** PEM of all authorities to trust. */
  readonly bundle: string;
  readonly serving: Issued;
}

/** What of a folder's files can be used: a certificate without its key cannot. */
export function currentOf(files: Partial<FolderFiles>): Partial<Current> {
  const authority = pairOf(files['ca.crt'], files['ca.key']);
  const serving = pairOf(files['tls.crt'], files['tls.key']);
  return {
    ...(authority === undefined ? {} : { authority, bundle: files['ca.crt'] ?? '' }),
    ...(serving === undefined ? {} : { serving }),
  };
}

/** The first certificate of a PEM text, when this is its key. */
function pairOf(certificatePem = '', keyPem = ''): Issued | undefined {
  const der = readPem(certificatePem).blocks.find(block => block.type === 'CERTIFICATE')?.bytes;
  const certificate = der === undefined ? 'none' : parseCertificate(der);
  const key = privateKeyIn(keyPem);
  if (typeof certificate === 'string' || key === undefined || !belongsTo(key, certificate.rawPublicKeyInfo)) return undefined;
  return { certificatePem: pemText('CERTIFICATE', certificate.raw), keyPem, certificate, key };
}

/** Why an authority can sign nothing (more); undefined when it can. */
export function faultOfAuthority({ certificate }: Issued, now: Date): string | undefined {
  if (certificate.basicConstraints?.isCA !== true) return 'ca.crt is no certificate of an authority';
  if (certificate.keyUsage !== undefined && !certificate.keyUsage.includes('keyCertSign')) return 'the authority may not sign certificates';
  if (certificate.notAfter.milliseconds < now.getTime()) return `the authority ended on ${certificate.notAfter.text}`;
  return undefined;
}

export interface Wanted {
  readonly names: ServingNames;
  readonly keyType: KeyType;
  readonly renewBeforeMs: number;
  readonly now: Date;
  readonly authority: Pick<Issued, 'certificate' | 'certificatePem'>;
}

/** Why a serving certificate is not good enough any more; undefined when it is. */
export function reasonToRenew({ certificate, key }: Issued, wanted: Wanted): string | undefined {
  const { names, keyType, renewBeforeMs, now, authority } = wanted;
  const difference = namesDifference(namesOf(certificate), names);
  if (difference !== '') return `names: ${difference}`;
  if (describeKey(key) !== keyType) return `its key is ${describeKey(key)}`;
  const refused = refusalOf(certificate, wanted);
  if (refused !== undefined) return refused;
  // At the end of the authority's life a new certificate would not last longer either.
  const canLast = authority.certificate.notAfter.milliseconds > certificate.notAfter.milliseconds;
  return certificate.notAfter.milliseconds - now.getTime() < renewBeforeMs && canLast
    ? `it ends on ${certificate.notAfter.text}`
    : undefined;
}

function refusalOf(certificate: Certificate, { names, authority, now }: Wanted): string | undefined {
  const all = [...names.dns, ...names.ips];
  return all
    .map(serverName => peerCertificateError({ chain: [certificate.raw], bundle: authority.certificatePem, serverName, at: now }))
    .find(error => error !== undefined);
}

/** `+new.example -old.example`; empty when the names are the same, in whatever order. */
function namesDifference(old: ServingNames, wanted: ServingNames): string {
  const before = new Set([...old.dns, ...old.ips]);
  const after = new Set([...wanted.dns, ...wanted.ips]);
  const added = [...after].filter(name => !before.has(name)).map(name => `+${name}`);
  const removed = [...before].filter(name => !after.has(name)).map(name => `-${name}`);
  return [...added, ...removed].join(' ');
}
