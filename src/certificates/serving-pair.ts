import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { readPem } from '../x509/pem.js';
import { belongsTo, privateKeyIn } from './key-types.js';

/** What a server with these files would show. */
export interface ServingPair {
  /** DER, the leaf first. */
  readonly chain: readonly Uint8Array[];
  /** The leaf, when it can be read. */
  readonly leaf: Certificate | undefined;
  /** Why a server could not serve with the files, in Go's words where it has any. */
  readonly error: string | undefined;
}

/** Reads tls.crt and tls.key as Go's server does; `keyPem` is undefined when only the certificate is to be looked at. Source: crypto/tls X509KeyPair. */
export function readServingPair(certificatePem: string, keyPem: string | undefined): ServingPair {
  const chain = readPem(certificatePem)
    .blocks.filter(block => block.type === 'CERTIFICATE')
    .map(block => block.bytes);
  const [first] = chain;
  if (first === undefined) return { chain, leaf: undefined, error: 'tls: failed to find any PEM data in certificate input' };
  const leaf = parseCertificate(first);
  if (typeof leaf === 'string') return { chain, leaf: undefined, error: leaf };
  return { chain, leaf, error: keyPem === undefined ? undefined : keyError(leaf, keyPem) };
}

function keyError(leaf: Certificate, keyPem: string): string | undefined {
  if (readPem(keyPem).blocks.length === 0) return 'tls: failed to find any PEM data in key input';
  const key = privateKeyIn(keyPem);
  if (key === undefined) return 'tls: failed to parse private key';
  return belongsTo(key, leaf.rawPublicKeyInfo) ? undefined : 'tls: private key does not match public key';
}
