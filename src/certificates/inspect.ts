import { createHash, createPublicKey } from 'node:crypto';
import { formatIP } from '../go/net/ip.js';
import { ownMember } from '../go/own-members.js';
import { urlText } from '../go/url/url.js';
import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { describeName } from '../x509/distinguished-name.js';
import { readPem } from '../x509/pem.js';
import { peerCertificateError } from '../x509/verify-chain.js';
import { belongsTo, describeKey, privateKeyIn } from './key-types.js';

/** Certificates to inspect. */
export interface Inspected {
  /** DER, leaf first. */
  readonly chain: readonly Uint8Array[];
  /** PEM of the trusted authorities; undefined for the roots that come with Node. */
  readonly bundle: string | undefined;
  /** Names to check besides the certificate's own. */
  readonly serverNames: readonly string[];
  /** PEM of the private key, if there is one. */
  readonly keyPem: string | undefined;
  readonly at: Date;
}

/** Description of one certificate. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly isAuthority: boolean;
  readonly keyType: string;
  readonly signature: string;
  readonly names: readonly string[];
  readonly usages: readonly string[];
  readonly sha256: string;
}

export interface Inspection {
  /** Go's error for a certificate that cannot be parsed. */
  readonly certificates: readonly (CertificateFacts | { readonly error: string })[];
  /** Error of Go's TLS client for each name; undefined if it accepts. */
  readonly names: readonly { readonly serverName: string; readonly error: string | undefined }[];
  /** Whether key and leaf match; undefined without a key. */
  readonly keyBelongs: boolean | undefined;
}

/** Describes a chain and checks it for every name by Go's rules. */
export function inspectChain({ chain, bundle, serverNames, keyPem, at }: Inspected): Inspection {
  const parsed = chain.map(parseCertificate);
  const [leaf] = parsed;
  const own = leaf === undefined || typeof leaf === 'string' ? [] : namesIn(leaf);
  const names = [...new Set([...serverNames, ...own.filter(name => !name.includes('*'))])];
  return {
    certificates: parsed.map(certificate => (typeof certificate === 'string' ? { error: certificate } : factsOf(certificate))),
    names: names.map(serverName => ({ serverName, error: peerCertificateError({ chain, bundle, serverName, at }) })),
    keyBelongs: keyPem === undefined || leaf === undefined || typeof leaf === 'string' ? undefined : keyBelongsTo(leaf, keyPem),
  };
}

/** Returns the certificates of a file: PEM with any other text, or DER. */
export function certificatesOfFile(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes).toString('latin1');
  const blocks = readPem(text).blocks.filter(block => block.type === 'CERTIFICATE' || block.type === 'TRUSTED CERTIFICATE');
  if (blocks.length > 0) return blocks.map(block => block.bytes);
  return bytes[0] === 0x30 ? [bytes] : [];
}

/** Returns the PEM text if it contains a private key; undefined otherwise. */
export function keyOfText(text: string): string | undefined {
  return readPem(text).blocks.some(block => block.type.endsWith('PRIVATE KEY')) ? text : undefined;
}

function keyBelongsTo(leaf: Certificate, keyPem: string): boolean | undefined {
  const key = privateKeyIn(keyPem);
  return key === undefined ? undefined : belongsTo(key, leaf.rawPublicKeyInfo);
}

function namesIn({ names }: Certificate): string[] {
  return [...names.dnsNames, ...names.ipAddresses.map(formatIP)];
}

function factsOf(certificate: Certificate): CertificateFacts {
  const { names, keyUsage = [], extendedKeyUsage, serialNumber } = certificate;
  return {
    subject: describeName(certificate.subject),
    issuer: describeName(certificate.issuer),
    serialNumber: serialNumber.toString(16),
    notBefore: certificate.notBefore.text,
    notAfter: certificate.notAfter.text,
    isAuthority: certificate.basicConstraints?.isCA === true,
    keyType: keyTypeOf(certificate),
    signature: certificate.signatureAlgorithm?.name ?? 'unknown to Go',
    names: [...namesIn(certificate), ...names.emailAddresses, ...names.uris.map(urlText)],
    usages: [...keyUsage, ...extendedKeyUsage.map(id => ownMember(usageNames, id) ?? id)],
    sha256: createHash('sha256').update(certificate.raw).digest('hex'),
  };
}

const usageNames: Readonly<Record<string, string>> = {
  '2.5.29.37.0': 'any extended usage',
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
};

function keyTypeOf({ rawPublicKeyInfo, publicKeyAlgorithm }: Certificate): string {
  try {
    return describeKey(createPublicKey({ key: Buffer.from(rawPublicKeyInfo), format: 'der', type: 'spki' }));
  } catch {
    return publicKeyAlgorithm;
  }
}
