import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import * as der from '../../src/certificates/der-writer.js';
import { certificateRequestError, parseCertificateRequest } from '../../src/x509/certificate-request.js';
import { pemText } from '../../src/x509/pem.js';
import { makeCertificateRequest } from '../support/certificate-request-maker.js';

const md5 = der.sequence(der.objectIdentifier('1.2.840.113549.1.1.4'), der.nullValue());

const errorOf = (bytes: Uint8Array): string | undefined => certificateRequestError(pemText('CERTIFICATE REQUEST', bytes));

it('accepts a request that is signed by its key', () => {
  expect(errorOf(makeCertificateRequest())).toBeUndefined();
  const key = generateKeyPairSync('ed25519').privateKey;
  expect(errorOf(makeCertificateRequest({ key, algorithm: der.sequence(der.objectIdentifier('1.3.101.112')) }))).toBeUndefined();
});

it('refuses other PEM blocks and none', () => {
  const refused = 'PEM block type must be CERTIFICATE REQUEST';
  for (const text of ['', 'garbage', pemText('NEW CERTIFICATE REQUEST', makeCertificateRequest())])
    expect(certificateRequestError(text)).toBe(refused);
});

it('refuses wrong signatures, keys and algorithms with the errors of crypto/x509', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  expect(errorOf(makeCertificateRequest({ signature: Uint8Array.of(1, 2, 3) }))).toBe('x509: ECDSA verification failure');
  expect(errorOf(makeCertificateRequest({ algorithm: md5 }))).toBe('x509: cannot verify signature: insecure algorithm MD5-RSA');
  expect(errorOf(makeCertificateRequest({ key: rsa }))).toBe(
    'x509: signature algorithm specifies an ECDSA public key, but have public key of type *rsa.PublicKey',
  );
  const unknown = der.sequence(der.objectIdentifier('1.2.3'));
  expect(errorOf(makeCertificateRequest({ algorithm: unknown }))).toBe('x509: cannot verify signature: algorithm unimplemented');
});

const parameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

it.each([
  ['nothing', [], 'asn1: syntax error: sequence truncated'],
  ['one byte', [0x30], 'asn1: syntax error: truncated tag or length'],
  ['an indefinite length', [0x30, 0x80], 'asn1: syntax error: indefinite length found (not DER)'],
  ['a long form of a short length', [0x30, 0x81, 0x05], 'asn1: structure error: non-minimal length'],
  ['a length that starts with zero', [0x30, 0x82, 0x00, 0x05], 'asn1: structure error: superfluous leading zeros in length'],
  ['a huge length', [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], 'asn1: structure error: length too large'],
  ['too few bytes', [0x30, 0x05, 0x02], 'asn1: syntax error: data truncated'],
  ['an empty sequence', [0x30, 0x00], 'asn1: syntax error: sequence truncated'],
  [
    'a set',
    [0x31, 0x00],
    `asn1: structure error: tags don't match (16 vs {class:0 tag:17 length:0 isCompound:true}) ${parameters} certificateRequest @2`,
  ],
])('refuses %s with the error of encoding/asn1', (_what, bytes, error) => {
  expect(errorOf(Uint8Array.from(bytes))).toBe(error);
});

it('refuses trailing data, wrong versions and characters', () => {
  expect(errorOf(Buffer.concat([makeCertificateRequest(), Uint8Array.of(0)]))).toBe('asn1: syntax error: trailing data');
  expect(errorOf(makeCertificateRequest({ version: Uint8Array.of(2, 2, 0, 1) }))).toBe(
    'asn1: structure error: integer not minimally-encoded',
  );
  const name = der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.derElement(19, Buffer.from('a_b')))));
  expect(errorOf(makeCertificateRequest({ subject: name }))).toBe('asn1: syntax error: PrintableString contains invalid character');
});

it('parses the requested extensions', () => {
  const extension = (id: string, value: Uint8Array) => der.sequence(der.objectIdentifier(id), der.derElement(4, value));
  const requesting = (...extensions: readonly Uint8Array[]) => [
    der.sequence(der.objectIdentifier('1.2.840.113549.1.9.14'), der.set(der.sequence(...extensions))),
  ];
  const names = extension('2.5.29.17', der.sequence(der.implicit(7, Uint8Array.of(1, 2, 3))));
  expect(errorOf(makeCertificateRequest({ attributes: requesting(names) }))).toBe('x509: cannot parse IP address of length 3');
  const usage = extension('2.5.29.15', Uint8Array.of(3, 2, 5, 160));
  expect(errorOf(makeCertificateRequest({ attributes: requesting(usage) }))).toBeUndefined();
  expect(errorOf(makeCertificateRequest({ attributes: requesting(usage, usage) }))).toBe(
    'x509: certificate request contains duplicate requested extensions',
  );
  expect(errorOf(makeCertificateRequest({ attributes: [der.sequence(der.objectIdentifier('1.2.840.113549.1.9.14'))] }))).toBeUndefined();
});

it('returns the public key of a request', () => {
  const parsed = parseCertificateRequest(makeCertificateRequest());
  expect(typeof parsed === 'string' ? parsed : parsed.publicKey).toEqual({ type: 'ECDSA', curve: 'P256' });
});
