import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { parseCertificate } from './certificate.js';
import { type PemBlock, readPem } from './pem.js';

/** PEM texts. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Why a pair cannot be used, in the words of the API server's client; undefined when it can. Source: Go crypto/tls X509KeyPair. */
export function clientCertificateError({ certificate, key }: ClientCertificate): string | undefined {
  const certificates = readPem(certificate).blocks;
  const leaf = certificates.find(block => block.type === 'CERTIFICATE');
  if (leaf === undefined) return noCertificate(certificates);
  const keys = readPem(key).blocks;
  const keyBlock = keys.find(block => isKey(block.type));
  if (keyBlock === undefined) return noKey(keys);
  const parsed = parseCertificate(leaf.bytes);
  if (typeof parsed === 'string') return parsed;
  const privateKey = readKey(keyBlock);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return new X509Certificate(leaf.bytes).checkPrivateKey(privateKey) ? undefined : 'tls: private key does not match public key';
}

function isKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function noCertificate(blocks: readonly PemBlock[]): string {
  const [first, ...others] = blocks;
  if (first === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (others.length === 0 && first.type.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function noKey(blocks: readonly PemBlock[]): string {
  const [first, ...others] = blocks;
  if (first === undefined) return 'tls: failed to find any PEM data in key input';
  if (others.length === 0 && first.type === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function typesOf(blocks: readonly PemBlock[]): string {
  return `[${blocks.map(block => block.type).join(' ')}]`;
}

/** Whatever the block's name says, Go tries the three encodings one after the other. */
function readKey({ bytes }: PemBlock): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(bytes), format: 'der', type });
    } catch {
      // The next one may fit.
    }
  }
  return undefined;
}
