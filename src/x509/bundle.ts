import { forLastText } from '../go/once.js';
import { type Certificate, parseCertificate } from './certificate.js';
import { type PemBlock, readPem } from './pem.js';

/** Returns the text of a bundle's bytes, one character each, so that nothing is lost: Go's PEM decoder reads bytes. */
export function bundleText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** Returns the certificates of a bundle in order; those that Go cannot parse are skipped. Source: x509.CertPool.AppendCertsFromPEM. */
export function certificatesIn(pem: string): Certificate[] {
  return readBundle(pem)
    .blocks.filter(isCertificate)
    .flatMap(block => {
      const certificate = parseCertificate(block.bytes);
      return typeof certificate === 'string' ? [] : [certificate];
    });
}

/**
 * Returns the error of the API server for a caBundle, which follows `unable to load root certificates: `; undefined if it contains one
 * usable certificate, or is empty (the machine's roots are used then). Source: k8s.io/client-go/transport rootCertPool,
 * createErrorParsingCAData.
 */
export function bundleError(pem: string): string | undefined {
  if (pem === '') return undefined;
  const { blocks, rest } = readBundle(pem);
  const results = blocks.filter(isCertificate).map(block => parseCertificate(block.bytes));
  if (results.some(result => typeof result !== 'string')) return undefined;
  const broken = results.find(result => typeof result === 'string');
  if (broken !== undefined) return `failed to parse certificate: ${broken}`;
  // Go reads to the end of the text, so that it finds no PEM block in text after the last one.
  return rest === '' ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
}

function isCertificate(block: PemBlock): boolean {
  return block.type === 'CERTIFICATE' && !block.hasHeaders;
}

/** Parses a bundle. Memoized, because calls repeat the same one. */
const readBundle = forLastText(readPem);
