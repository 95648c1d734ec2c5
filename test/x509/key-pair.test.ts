import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readServingPair } from '../../src/certificates/serving-pair.js';
import { keyPairError } from '../../src/x509/key-pair.js';
import { pemText } from '../../src/x509/pem.js';
import { makeCertificate } from '../support/certificate-maker.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const issuer = makeCertificate({ isAuthority: true });
const certificate = certificateOf(ec);

function certificateOf(key: KeyObject): string {
  return makeCertificate({ key, issuer }).pem;
}

function keyPem(key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8', label = 'PRIVATE KEY'): string {
  return pemText(label, key.export({ format: 'der', type }));
}

/** The key's scalar with the public key of another. */
function withPublicKeyOfAnother(): string {
  const own = ec.export({ format: 'der', type: 'sec1' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'sec1' });
  return pemText('EC PRIVATE KEY', Buffer.concat([own.subarray(0, -65), other.subarray(-65)]));
}

/** The RSA key with bytes after its last number. */
function rsaWithTail(...tail: readonly number[]): string {
  const contents = Buffer.concat([rsa.export({ format: 'der', type: 'pkcs1' }).subarray(4), Buffer.from(tail)]);
  return pemText('RSA PRIVATE KEY', Buffer.concat([Buffer.from([0x30, 0x82, contents.length >> 8, contents.length & 0xff]), contents]));
}

const block = (type: string): string => `-----BEGIN ${type}-----\neA==\n-----END ${type}-----\n`;

describe('a key pair', () => {
  it.each([
    ['in PKCS #8', certificate, keyPem(ec)],
    ['in SEC 1', certificate, keyPem(ec, 'sec1', 'EC PRIVATE KEY')],
    ['in PKCS #1', certificateOf(rsa), keyPem(rsa, 'pkcs1', 'RSA PRIVATE KEY')],
    ['with an unknown element after the numbers of an RSA key', certificateOf(rsa), rsaWithTail(0x75, 0)],
    ['with a label of another form', certificate, keyPem(ec, 'sec1', 'RSA PRIVATE KEY')],
    ['with parameters before the key', certificate, block('EC PARAMETERS') + keyPem(ec, 'sec1', 'EC PRIVATE KEY')],
    ['with another certificate after the leaf', certificate + issuer.pem, keyPem(ec)],
    ['whose stored public key is another: only the scalar counts', certificate, withPublicKeyOfAnother()],
  ])('is accepted %s', (_, chain, key) => {
    expect(keyPairError({ certificate: chain, key })).toBeUndefined();
    expect(readServingPair(chain, key)).toMatchObject({ error: undefined, leaf: { publicKey: {} } });
  });

  it.each([
    [
      'of another key',
      certificate,
      keyPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      'tls: private key does not match public key',
    ],
    [
      'of another curve',
      certificate,
      keyPem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
      'tls: private key does not match public key',
    ],
    ['of another type', certificate, keyPem(rsa), 'tls: private key type does not match public key type'],
    [
      'with an X25519 key',
      certificate,
      keyPem(generateKeyPairSync('x25519').privateKey),
      'tls: found unknown private key type in PKCS#8 wrapping',
    ],
    ['with an Ed448 key', certificate, keyPem(generateKeyPairSync('ed448').privateKey), 'tls: failed to parse private key'],
    [
      'with an invalid length after the numbers of an RSA key',
      certificateOf(rsa),
      rsaWithTail(0x75, 0x80),
      'tls: failed to parse private key',
    ],
    ['with a broken key', certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
    [
      'without a key',
      certificate,
      block('EC PARAMETERS') + block('PUBLIC KEY'),
      `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [EC PARAMETERS PUBLIC KEY]`,
    ],
    [
      'with a label that only ends in PRIVATE KEY',
      certificate,
      keyPem(ec, 'pkcs8', 'MYPRIVATE KEY'),
      `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [MYPRIVATE KEY]`,
    ],
    ['with a certificate as key', certificate, certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
    ['with empty files', '', '', 'tls: failed to find any PEM data in certificate input'],
    [
      'with switched files',
      keyPem(ec),
      certificate,
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      'with other blocks only',
      block('A') + block('B'),
      '',
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
    ],
    ['without PEM in the key file', block('CERTIFICATE'), 'x', 'tls: failed to find any PEM data in key input'],
    ['with a broken certificate', block('CERTIFICATE'), block('EC PRIVATE KEY'), 'x509: malformed certificate'],
  ])('is rejected %s, with the message of Go', (_, chain, key, error) => {
    expect(keyPairError({ certificate: chain, key })).toBe(error);
    expect(readServingPair(chain, key).error).toBe(error);
  });

  it('with an RSA key is rejected if the numbers contradict each other', () => {
    const der = rsa.export({ format: 'der', type: 'pkcs1' });
    // The last byte belongs to the inverse of q.
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    const key = pemText('RSA PRIVATE KEY', der);
    expect(keyPairError({ certificate: certificateOf(rsa), key })).toBe('tls: failed to parse private key');
  });
});
