import { bundleError, certificatesIn } from '../x509/bundle.js';
import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { describeName } from '../x509/distinguished-name.js';
import { explainBundle } from '../x509/explain-bundle.js';
import { readPem } from '../x509/pem.js';
import { bitLength } from '../x509/public-key.js';
import { type ChainToVerify, peerCertificateError } from '../x509/verify-chain.js';
import { type ChainExplanation, explainChain } from './explain-chain.js';

/** Result of checking a chain against a bundle. */
export interface ChainCheck {
  /** Error of the API server, from `unable to load root certificates: ` or `tls: ` on; undefined if it accepts them. */
  readonly error: string | undefined;
  readonly explanation: ChainExplanation | undefined;
  /** Accepted now, but rejected that many days later. */
  readonly endsSoon: string | undefined;
  /** Accepted, but worth knowing. */
  readonly notes: readonly string[];
}

/** Checks a chain as the API server does, now and `minDays` later. */
export function checkChain(input: ChainToVerify, minDays: number): ChainCheck {
  const bundle = input.bundle ?? '';
  const unusable = bundleError(bundle);
  const notes = notesAbout(input);
  if (unusable !== undefined) {
    const why = explainBundle(bundle) ?? 'caBundle contains no usable certificate';
    const explanation = { why, try: 'inject the CA: webhook-cli certs inject' };
    return { error: `unable to load root certificates: ${unusable}`, explanation, endsSoon: undefined, notes };
  }
  const error = peerCertificateError(input);
  if (error !== undefined) return { error, explanation: explainChain(error, input), endsSoon: undefined, notes };
  const later = new Date(input.at.getTime() + minDays * 86_400_000);
  return { error, explanation: undefined, endsSoon: minDays > 0 ? peerCertificateError({ ...input, at: later }) : undefined, notes };
}

function notesAbout({ chain, bundle = '' }: ChainToVerify): string[] {
  const [leaf] = chain.map(parseCertificate).filter(certificate => typeof certificate !== 'string');
  const { blocks, rest } = readPem(bundle);
  const trusted = certificatesIn(bundle);
  const broken = blocks.filter(({ type, bytes }) => type === 'CERTIFICATE' && typeof parseCertificate(bytes) === 'string').length;
  const notes: string[] = [];
  if (blocks.some(({ type }) => type.endsWith('PRIVATE KEY')))
    notes.push('caBundle contains a private key that everyone can read: remove it and create a new one');
  if (broken > 0 && trusted.length > 0) notes.push(`${broken} of the certificates in caBundle cannot be parsed; Go skips them`);
  if (trusted.length > 0 && rest.trim() !== '') notes.push('caBundle has text after its last certificate');
  if (leaf !== undefined && trusted.some(certificate => Buffer.compare(certificate.raw, leaf.raw) === 0)) {
    notes.push('caBundle contains the serving certificate itself: it stops working at its next renewal');
  }
  if (leaf !== undefined) notes.push(...notesAboutLeaf(leaf));
  return notes;
}

function notesAboutLeaf(leaf: Certificate): string[] {
  const notes: string[] = [];
  const size = leaf.publicKey?.type === 'RSA' ? bitLength(leaf.publicKey.modulus) : undefined;
  if (size !== undefined && size < 2048) notes.push(`the serving certificate's RSA key has only ${size} bits`);
  if (leaf.basicConstraints?.isCA === true)
    notes.push(`the server uses a CA certificate, ${describeName(leaf.subject)}: Go accepts that, other clients do not`);
  return notes;
}
