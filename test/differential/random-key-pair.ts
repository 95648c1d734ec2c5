import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { lazy } from '../../src/kubernetes/memoize.js';
import { pemText } from '../../src/x509/pem.js';
import { makeCertificate } from '../support/certificate-maker.js';
import type { Question } from './oracle.js';
import type { Random } from './random.js';

interface Party {
  readonly certificate: Uint8Array;
  /** DER in every form that the key has. */
  readonly keys: readonly Uint8Array[];
}

/** Keys of every kind that Go knows, and of some that it does not; two of the common ones. */
const parties = lazy((): readonly Party[] => {
  const issuer = makeCertificate({ isAuthority: true });
  const curves = ['P-224', 'P-256', 'P-256', 'P-384', 'P-521', 'secp256k1'];
  const keys: KeyObject[] = [
    ...curves.map(namedCurve => generateKeyPairSync('ec', { namedCurve }).privateKey),
    ...[1024, 1024, 2048, 1023, 512].map(modulusLength => generateKeyPairSync('rsa', { modulusLength }).privateKey),
    generateKeyPairSync('rsa', { modulusLength: 1024, publicExponent: 3 }).privateKey,
    generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey,
    generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey,
    ...[generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519'), generateKeyPairSync('ed448')].map(pair => pair.privateKey),
    generateKeyPairSync('x25519').privateKey,
  ];
  return keys.map(key => ({ certificate: makeCertificate({ key, issuer }).der, keys: formsOf(key) }));
});

function formsOf(key: KeyObject): Uint8Array[] {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType === 'rsa') return [pkcs8, key.export({ format: 'der', type: 'pkcs1' })];
  return key.asymmetricKeyType === 'ec' ? [pkcs8, key.export({ format: 'der', type: 'sec1' })] : [pkcs8];
}

/** Returns a certificate and a key, most often of one pair, with wrong labels, other blocks around them and changed bytes. */
export function randomKeyPair(r: Random): Question {
  const party = r.pick(parties());
  const other = r.pick(parties());
  const certificate = block(r, r.chance(92) ? 'CERTIFICATE' : r.pick(labels), party.certificate, 4);
  const key = block(r, r.chance(85) ? r.pick(keyLabels) : r.pick(labels), r.pick((r.chance(70) ? party : other).keys), 35);
  const swapped = r.chance(4);
  const around = (text: string) => `${r.chance(12) ? block(r, r.pick(labels), party.certificate, 0) : ''}${text}${r.chance(8) ? 'x' : ''}`;
  const texts = [around(certificate), around(key)].map(text => (r.chance(3) ? '' : text));
  const [first = '', second = ''] = swapped ? texts.reverse() : texts;
  return { certificate: Buffer.from(first).toString('base64'), key: Buffer.from(second).toString('base64') };
}

const keyLabels = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'X PRIVATE KEY'];
const labels = ['PRIVATE KEY', 'CERTIFICATE', 'EC PARAMETERS', 'PUBLIC KEY', 'MYPRIVATE KEY', 'PRIVATE KEYS', 'X509 CRL', ''];

function block(r: Random, label: string, der: Uint8Array, percentChanged: number): string {
  return pemText(label, r.chance(percentChanged) ? changed(r, Buffer.from(der)) : der);
}

/** Changes a byte, most often near the start where the structure is, or appends or removes one. */
function changed(r: Random, der: Buffer): Buffer {
  const kind = r.below(10);
  if (kind === 0) return Buffer.concat([der, Buffer.from([0])]);
  if (kind === 1) return der.subarray(0, der.length - 1);
  const at = r.below(r.chance(60) ? Math.min(der.length, 40) : der.length);
  der[at] = r.chance(50) ? ((der[at] ?? 0) + r.pick([1, 255])) & 0xff : r.below(256);
  return der;
}
