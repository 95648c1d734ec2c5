import { type Certificate, parseCertificate } from './certificate.js';
import { type PemBlock, type PemText, readPem } from './pem.js';

/** The certificates that a bundle makes trusted, in its order; what Go cannot use is passed over. Source: x509.CertPool.AppendCertsFromPEM. */
export function certificatesIn(pem: string): Certificate[] {
  return readBundle(pem)
    .blocks.filter(isCertificate)
    .flatMap(block => {
      const certificate = parseCertificate(block.bytes);
      return typeof certificate === 'string' ? [] : [certificate];
    });
}

/**
 * Why the API server cannot use a caBundle, in the words that follow `unable to load root certificates: `; undefined when it
 * holds one usable certificate, or nothing at all (then the machine's roots count).
 * Source: k8s.io/client-go/transport rootCertPool, createErrorParsingCAData.
 */
export function bundleError(pem: string): string | undefined {
  if (pem === '') return undefined;
  const { blocks, rest } = readBundle(pem);
  const results = blocks.filter(isCertificate).map(block => parseCertificate(block.bytes));
  if (results.some(result => typeof result !== 'string')) return undefined;
  const broken = results.find(result => typeof result === 'string');
  if (broken !== undefined) return `failed to parse certificate: ${broken}`;
  // Go reads on to the end of the text, so that anything behind the last block is no PEM block to it.
  return rest === '' ? 'no valid certificate authority data seen' : 'unable to parse bytes as PEM block';
}

function isCertificate(block: PemBlock): boolean {
  return block.type === 'CERTIFICATE' && !block.hasHeaders;
}

/** Calls come with the same bundle again and again. */
function readBundle(pem: string): PemText {
  if (latest?.pem !== pem) latest = { pem, read: readPem(pem) };
  return latest.read;
}

let latest: { readonly pem: string; readonly read: PemText } | undefined;
