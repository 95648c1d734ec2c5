import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Certificate, parseCertificate } from '../../../x509/certificate.js';
import { readPem } from '../../../x509/pem.js';

/**
 * Why a certificate and a private key, both PEM text, are no pair; undefined when they are one. In Go's words, but for the errors of
 * keys that Go's parsers word by themselves. Source: crypto/tls X509KeyPair.
 */
export function keyPairProblem(certificateText: string, keyText: string): string | undefined {
  const certificates = readPem(certificateText).blocks;
  const first = certificates.find(block => block.type === 'CERTIFICATE');
  if (first === undefined) return noCertificate(certificates.map(block => block.type));
  const keys = readPem(keyText).blocks;
  const key = keys.find(block => /(?:^| )PRIVATE KEY$/.test(block.type));
  if (key === undefined) return noKey(keys.map(block => block.type));
  const certificate = parseCertificate(first.bytes);
  if (typeof certificate === 'string') return certificate;
  const privateKey = parsePrivateKey(key.bytes);
  return privateKey === undefined ? 'tls: failed to parse private key' : mismatch(certificate, privateKey);
}

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && types[0]?.endsWith('PRIVATE KEY') === true)
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

/** The three forms that Go tries, one after the other. */
function parsePrivateKey(der: Uint8Array): KeyObject | undefined {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(der), format: 'der', type });
    } catch {
      // Another form, then.
    }
  }
  return undefined;
}

function mismatch({ rawPublicKeyInfo, publicKey }: Certificate, privateKey: KeyObject): string | undefined {
  if (publicKey === undefined) return 'tls: unknown public key algorithm';
  const own = createPublicKey({ key: Buffer.from(rawPublicKeyInfo), format: 'der', type: 'spki' });
  if (own.asymmetricKeyType !== privateKey.asymmetricKeyType) return 'tls: private key type does not match public key type';
  return createPublicKey(privateKey).equals(own) ? undefined : 'tls: private key does not match public key';
}
