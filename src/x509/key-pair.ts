import { type Certificate, parseCertificate } from './certificate.js';
import { cursorOver, enter, readElement, tags } from './der.js';
import { readBitString, rightAligned, sameBytes } from './der-values.js';
import { type PemBlock, readPem } from './pem.js';
import { type PrivateKey, parsePrivateKey } from './private-key.js';

/** Certificate chain and private key, both as PEM text. */
export interface KeyPairText {
  readonly certificate: string;
  readonly key: string;
}

/** Certificates of a PEM text. */
export interface CertificateChain {
  /** DER, the leaf first. */
  readonly chain: readonly Uint8Array[];
  /** The leaf, if it can be parsed. */
  readonly leaf: Certificate | undefined;
  /** Go's message if there is no certificate or the leaf cannot be parsed. */
  readonly error: string | undefined;
}

/** Returns Go's message if certificate and key are not a pair; undefined if they are. Source: Go crypto/tls X509KeyPair. */
export function keyPairError({ certificate, key }: KeyPairText): string | undefined {
  const { chain, leaf, error } = readChain(certificate);
  if (chain.length === 0) return error;
  const blocks = readPem(key).blocks;
  const keyBlock = blocks.find(block => /(?:^| )PRIVATE KEY$/.test(block.type));
  if (keyBlock === undefined) return withoutKey(blocks);
  if (leaf === undefined) return error;
  const privateKey = parsePrivateKey(keyBlock.bytes);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return privateKey.type === 'other' ? 'tls: found unknown private key type in PKCS#8 wrapping' : mismatch(leaf, privateKey);
}

/** Reads the certificates of a PEM text. */
export function readChain(certificate: string): CertificateChain {
  const { blocks } = readPem(certificate);
  const chain = blocks.filter(block => block.type === 'CERTIFICATE').map(block => block.bytes);
  const [first] = chain;
  if (first === undefined) return { chain, leaf: undefined, error: withoutCertificate(blocks) };
  const leaf = parseCertificate(first);
  return typeof leaf === 'string' ? { chain, leaf: undefined, error: leaf } : { chain, leaf, error: undefined };
}

function withoutCertificate(blocks: readonly PemBlock[]): string {
  const [first, ...others] = blocks;
  if (first === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (others.length === 0 && first.type.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function withoutKey(blocks: readonly PemBlock[]): string {
  const [first, ...others] = blocks;
  if (first === undefined) return 'tls: failed to find any PEM data in key input';
  if (others.length === 0 && first.type === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function typesOf(blocks: readonly PemBlock[]): string {
  return `[${blocks.map(block => block.type).join(' ')}]`;
}

type KnownKey = Exclude<PrivateKey, { readonly type: 'other' }>;

function mismatch({ publicKey, rawPublicKeyInfo }: Certificate, key: KnownKey): string | undefined {
  if (publicKey === undefined || publicKey.type === 'DSA') return 'tls: unknown public key algorithm';
  if (publicKey.type !== key.type) return 'tls: private key type does not match public key type';
  return isPublicKeyOf(key, publicKey, publicBytes(rawPublicKeyInfo)) ? undefined : 'tls: private key does not match public key';
}

function isPublicKeyOf(key: KnownKey, publicKey: NonNullable<Certificate['publicKey']>, bytes: Uint8Array): boolean {
  switch (key.type) {
    case 'RSA':
      return publicKey.type === 'RSA' && publicKey.modulus === key.modulus && publicKey.exponent === key.exponent;
    case 'ECDSA':
      return publicKey.type === 'ECDSA' && publicKey.curve === key.curve && sameBytes(bytes, key.point);
    case 'Ed25519':
      return sameBytes(bytes, key.publicKey);
  }
}

/** Returns the key's own bytes in a SubjectPublicKeyInfo. */
function publicBytes(info: Uint8Array): Uint8Array {
  const sequence = enter(cursorOver(info), tags.sequence);
  if (sequence === undefined || readElement(sequence, tags.sequence) === undefined) return new Uint8Array();
  const bits = readBitString(sequence);
  return bits === undefined ? new Uint8Array() : rightAligned(bits);
}
