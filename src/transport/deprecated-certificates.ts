import { parseCertificate } from '../x509/certificate.js';

/** Deprecated property of a server's certificates, which Go rejects now or will reject. */
export interface CertificateDeprecation {
  readonly id: 'missing-san' | 'insecure-sha1';
  readonly reason: string;
}

const missingSan: CertificateDeprecation = {
  id: 'missing-san',
  reason: 'relies on a legacy Common Name field instead of the SAN extension for subject validation',
};
const insecureSha1: CertificateDeprecation = { id: 'insecure-sha1', reason: 'uses an insecure SHA-1 signature' };

/**
 * Returns the deprecations in the certificates of a trusted server, the leaf first. Source: apiserver pkg/util/x509metrics,
 * CheckPeerCertificates.
 */
export function deprecationsOf(chain: readonly Uint8Array[]): readonly CertificateDeprecation[] {
  const certificates = chain.map(parseCertificate).filter(each => typeof each !== 'string');
  const [leaf] = certificates;
  const found: CertificateDeprecation[] = [];
  if (leaf?.extensions.every(extension => extension.id !== subjectAltName) === true) found.push(missingSan);
  const isSha1 = certificates.some(
    ({ signatureAlgorithm, issuer, subject }) =>
      (signatureAlgorithm?.name === 'SHA1-RSA' || signatureAlgorithm?.name === 'ECDSA-SHA1') &&
      JSON.stringify(issuer) !== JSON.stringify(subject),
  );
  return isSha1 ? [...found, insecureSha1] : found;
}

const subjectAltName = '2.5.29.17';

/** Returns the deprecation that made a server untrusted. Source: apiserver pkg/util/x509metrics, CheckRoundTripError. */
export function deprecationsIn(message: string): readonly CertificateDeprecation[] {
  if (message.includes('x509: certificate relies on legacy Common Name field')) return [missingSan];
  return /x509: certificate signed by unknown authority.*x509: cannot verify signature: insecure algorithm.*SHA1/s.test(message)
    ? [insecureSha1]
    : [];
}

/** Returns the key of the audit annotation for a deprecation. */
export function annotationKey({ id }: CertificateDeprecation, host: string): string {
  return `${id}.invalid-cert.kubernetes.io/${host}`;
}
