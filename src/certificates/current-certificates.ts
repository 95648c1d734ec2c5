import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { pemText, readPem } from '../x509/pem.js';
import { peerCertificateError } from '../x509/verify-chain.js';
import type { FolderFiles } from './certificate-folder.js';
import type { Issued } from './issue.js';
import { belongsTo, describeKey, type KeyType, privateKeyIn } from './key-types.js';
import { type ServingNames, servingNamesOf } from './serving-names.js';

/** Parsed certificates of a folder with their keys. */
export interface Current {
  readonly authority: Issued;
  /** PEM of all trusted authorities. */
  readonly bundle: string;
  readonly serving: Issued;
}

/** Returns the usable certificates of a folder: one without its key is not usable. */
export function currentOf(files: Partial<FolderFiles>): Partial<Current> {
  const authority = pairOf(files['ca.crt'], files['ca.key']);
  const serving = pairOf(files['tls.crt'], files['tls.key']);
  return {
    ...(authority === undefined ? {} : { authority, bundle: files['ca.crt'] ?? '' }),
    ...(serving === undefined ? {} : { serving }),
  };
}

/** Returns the first certificate of a PEM text if the key belongs to it. */
function pairOf(certificatePem = '', keyPem = ''): Issued | undefined {
  const der = readPem(certificatePem).blocks.find(block => block.type === 'CERTIFICATE')?.bytes;
  const certificate = der === undefined ? 'none' : parseCertificate(der);
  const key = privateKeyIn(keyPem);
  if (typeof certificate === 'string' || key === undefined || !belongsTo(key, certificate.rawPublicKeyInfo)) return undefined;
  return { certificatePem: pemText('CERTIFICATE', certificate.raw), keyPem, certificate, key };
}

/** Returns why an authority cannot sign; undefined if it can. */
export function faultOfAuthority({ certificate }: Issued, now: Date): string | undefined {
  if (certificate.basicConstraints?.isCA !== true) return 'ca.crt is not a CA certificate';
  if (certificate.keyUsage !== undefined && !certificate.keyUsage.includes('keyCertSign')) return 'the CA must not sign certificates';
  if (certificate.notAfter.milliseconds < now.getTime()) return `the CA expired on ${certificate.notAfter.text}`;
  return undefined;
}

export interface Wanted {
  readonly names: ServingNames;
  readonly keyType: KeyType;
  readonly renewBeforeMs: number;
  readonly now: Date;
  readonly authority: Pick<Issued, 'certificate' | 'certificatePem'>;
}

/** Returns why a serving certificate must be renewed; undefined if it need not be. */
export function reasonToRenew({ certificate, key }: Issued, wanted: Wanted): string | undefined {
  const { names, keyType, renewBeforeMs, now, authority } = wanted;
  const difference = namesDifference(servingNamesOf(certificate), names);
  if (difference !== '') return `names: ${difference}`;
  if (describeKey(key) !== keyType) return `its key is ${describeKey(key)}`;
  const refused = refusalOf(certificate, wanted);
  if (refused !== undefined) return refused;
  // When the authority expires first, a new certificate would not last longer.
  const canLast = authority.certificate.notAfter.milliseconds > certificate.notAfter.milliseconds;
  return certificate.notAfter.milliseconds - now.getTime() < renewBeforeMs && canLast
    ? `it expires on ${certificate.notAfter.text}`
    : undefined;
}

function refusalOf(certificate: Certificate, { names, authority, now }: Wanted): string | undefined {
  const all = [...names.dns, ...names.ips];
  return all
    .map(serverName => peerCertificateError({ chain: [certificate.raw], bundle: authority.certificatePem, serverName, at: now }))
    .find(error => error !== undefined);
}

/** Returns `+new.example -old.example`; empty if the names are equal in any order. */
function namesDifference(old: ServingNames, wanted: ServingNames): string {
  const before = new Set([...old.dns, ...old.ips]);
  const after = new Set([...wanted.dns, ...wanted.ips]);
  const added = [...after].filter(name => !before.has(name)).map(name => `+${name}`);
  const removed = [...before].filter(name => !after.has(name)).map(name => `-${name}`);
  return [...added, ...removed].join(' ');
}
