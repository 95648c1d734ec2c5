import { type CertificateChain, keyPairError, readChain } from '../x509/key-pair.js';

/** Certificate chain of a server; `error` is Go's message if the server cannot serve with it. */
export type ServingPair = CertificateChain;

/** Reads tls.crt and tls.key as Go's server does; without a key only the chain is checked. Source: crypto/tls X509KeyPair. */
export function readServingPair(certificate: string, key: string | undefined): ServingPair {
  const read = readChain(certificate);
  return key === undefined ? read : { ...read, error: keyPairError({ certificate, key }) };
}
