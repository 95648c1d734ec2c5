import { parseCertificate } from '../x509/certificate.js';
import { type CertificateChain, keyPairError, readChain } from '../x509/key-pair.js';
import { readPem } from '../x509/pem.js';

/** Reports whether OpenSSL refuses a certificate or a key. Node has no code for some of these errors. */
export function isRefusedByOpenSsl(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error.message.startsWith('SSL_CTX_') || ('code' in error && /^ERR_(?:OSSL|SSL|CRYPTO)/.test(String(error.code)));
}

/** Certificate chain of a server; `error` is Go's message if the server cannot serve with it. */
export type ServingPair = CertificateChain;

/** Reads tls.crt and tls.key as Go's server does; without a key only the chain is checked. Source: crypto/tls X509KeyPair. */
export function readServingPair(certificate: string, key: string | undefined): ServingPair {
  const read = readChain(certificate);
  return key === undefined ? read : { ...read, error: keyPairError({ certificate, key }) };
}

/** Returns why a file of authorities cannot be used; undefined if it can. Source: client-go util/cert ParseCertsPEM. */
export function authoritiesError(pem: string): string | undefined {
  const results = readPem(pem)
    .blocks.filter(block => block.type === 'CERTIFICATE' && !block.hasHeaders)
    .map(block => parseCertificate(block.bytes));
  if (results.length === 0) return 'data does not contain any valid RSA or ECDSA certificates';
  return results.find(result => typeof result === 'string');
}
