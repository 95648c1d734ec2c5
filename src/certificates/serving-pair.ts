import { createPublicKey } from 'node:crypto';
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
  const { blocks } = readPem(certificatePem);
  const chain = blocks.filter(block => block.type === 'CERTIFICATE').map(block => block.bytes);
  const [first] = chain;
  if (first === undefined) return { chain, leaf: undefined, error: noCertificate(blocks.map(block => block.type)) };
  const key = keyPem === undefined ? undefined : keyBlockError(keyPem);
  const leaf = parseCertificate(first);
  if (typeof leaf === 'string') return { chain, leaf: undefined, error: key ?? leaf };
  return { chain, leaf, error: keyPem === undefined ? undefined : (key ?? keyError(leaf, keyPem)) };
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]?.endsWith('PRIVATE KEY') === true) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

/** Go's message for a text without a private key. */
function keyBlockError(keyPem: string): string | undefined {
  const types = readPem(keyPem).blocks.map(block => block.type);
  if (types.some(type => /^(.* )?PRIVATE KEY$/.test(type))) return undefined;
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function keyError(leaf: Certificate, keyPem: string): string | undefined {
  const key = privateKeyIn(keyPem);
  if (key === undefined) return 'tls: failed to parse private key';
  if (belongsTo(key, leaf.rawPublicKeyInfo)) return undefined;
  return publicKeyTypeOf(leaf) === key.asymmetricKeyType
    ? 'tls: private key does not match public key'
    : 'tls: private key type does not match public key type';
}

function publicKeyTypeOf({ rawPublicKeyInfo }: Certificate): string | undefined {
  try {
    return createPublicKey({ key: Buffer.from(rawPublicKeyInfo), format: 'der', type: 'spki' }).asymmetricKeyType;
  } catch {
    return undefined;
  }
}
