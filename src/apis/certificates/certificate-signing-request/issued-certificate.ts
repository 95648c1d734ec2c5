import { parseCertificate } from '../../../x509/certificate.js';
import { readPem } from '../../../x509/pem.js';

/**
 * Returns the error of issued certificates, PEM text in base64; undefined when there are none. Source: certificates/validation
 * validateCertificate.
 */
export function issuedProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const { blocks } = readPem(Buffer.from(base64, 'base64').toString('latin1'));
  for (const { type, bytes, hasHeaders } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const certificate = parseCertificate(bytes);
    if (typeof certificate === 'string') return certificate;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
