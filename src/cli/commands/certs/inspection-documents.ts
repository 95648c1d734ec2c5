import type { CertificateFacts, Inspection } from '../../../certificates/inspect.js';
import { printable } from '../../../writers/printable.js';

/** Source of the certificates, and the CA they were checked against. */
export interface InspectionOf {
  readonly source: string;
  /** The CA: a file, or Node's built-in roots. */
  readonly trusted: string;
}

/** Prints the JSON document. */
export function inspectionJson({ certificates, names, keyBelongs }: Inspection, { source, trusted }: InspectionOf): string {
  const checked = names.map(({ serverName, error }) => ({ serverName, error: error ?? null }));
  const document = {
    apiVersion: 'webhook-cli.dev/v1alpha1',
    kind: 'CertificateInspection',
    source,
    certificates,
    trusted,
    names: checked,
    keyBelongs: keyBelongs ?? null,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Prints text: the chain, then Go's result for each name, then the key. */
export function inspectionText(inspection: Inspection, { source, trusted }: InspectionOf): string {
  const chain = inspection.certificates.flatMap((certificate, i) => [
    '',
    `certificate ${i + 1} of ${inspection.certificates.length}`,
    ...linesOf(certificate),
  ]);
  const names = inspection.names.map(({ serverName, error }) => `  ${serverName}: ${error ?? 'accepted'}`);
  const key =
    inspection.keyBelongs === undefined
      ? []
      : ['', inspection.keyBelongs ? 'key and certificate match' : 'key and certificate do not match'];
  const asked =
    names.length === 0
      ? ['', 'the certificate has no names']
      : ['', `the API server's result for each name, with ${trusted} as caBundle`, ...names];
  return [source, ...chain, ...asked, ...key].map(line => `${printable(line)}\n`).join('');
}

function linesOf(certificate: CertificateFacts | { readonly error: string }): string[] {
  if ('error' in certificate) return [`  cannot be read: ${certificate.error}`];
  const { subject, issuer, serialNumber, notBefore, notAfter, isAuthority, keyType, signature, names, usages, sha256 } = certificate;
  return [
    `  subject    ${subject}${isAuthority ? ' (a CA)' : ''}`,
    `  issuer     ${issuer}${subject === issuer ? ' (self-signed)' : ''}`,
    `  names      ${names.length === 0 ? 'none' : names.join(', ')}`,
    `  valid      ${notBefore} to ${notAfter}`,
    `  key        ${keyType}`,
    `  signature  ${signature}`,
    `  usages     ${usages.length === 0 ? 'any' : usages.join(', ')}`,
    `  serial     ${serialNumber}`,
    `  sha256     ${sha256}`,
  ];
}
