import { describe, expect, it } from 'vitest';
import * as der from '../../src/certificates/der-writer.js';
import { bundleError, certificatesIn } from '../../src/x509/bundle.js';
import { cursorOver, readAnyElement } from '../../src/x509/der.js';
import { readInteger, readObjectIdentifier } from '../../src/x509/der-values.js';
import { readInstant } from '../../src/x509/instant.js';
import { readPem } from '../../src/x509/pem.js';
import { makeCertificate } from '../support/certificate-maker.js';

const hex = (text: string) => Buffer.from(text, 'hex');

describe('DER', () => {
  it.each([
    ['0200', '0200'],
    ['0201ff00', '0201ff'],
    ['048180', undefined],
    [`048180${'00'.repeat(128)}`, `048180${'00'.repeat(128)}`],
    ['04810100', undefined],
    [`04820080${'00'.repeat(128)}`, undefined],
    ['0480', undefined],
    ['048500000000010000', undefined],
    ['1f0100', undefined],
    ['04', undefined],
  ])('%s holds the element %s', (bytes, element) => {
    const read = readAnyElement(cursorOver(hex(bytes)))?.whole;
    expect(read === undefined ? undefined : Buffer.from(read).toString('hex')).toBe(element);
  });

  it.each([
    ['020100', 0n],
    ['02017f', 127n],
    ['02020080', 128n],
    ['020180', -128n],
    ['02020001', undefined],
    ['0202ffff', undefined],
    ['0200', undefined],
  ])('%s is the number %s', (bytes, value) => {
    expect(readInteger(cursorOver(hex(bytes)))).toBe(value);
  });

  it.each([
    ['06032a0304', '1.2.3.4'],
    ['0603551d11', '2.5.29.17'],
    ['06028837', '2.999'],
    ['0600', undefined],
    ['06032a8001', undefined],
    ['06022a81', undefined],
    ['06062a9080808000', undefined],
  ])('%s is the identifier %s', (bytes, id) => {
    expect(readObjectIdentifier(cursorOver(hex(bytes)))).toBe(id);
  });
});

describe('a time in a certificate', () => {
  it.each([
    [0x17, '260101000000Z', '2026-01-01T00:00:00Z'],
    [0x17, '500101000000Z', '1950-01-01T00:00:00Z'],
    [0x17, '491231235959Z', '2049-12-31T23:59:59Z'],
    [0x17, '2601010000Z', '2026-01-01T00:00:00Z'],
    [0x17, '260101000000+0130', '2026-01-01T00:00:00+01:30'],
    [0x17, '260101000000+0000', 'x509: malformed UTCTime'],
    [0x17, '260230000000Z', 'x509: malformed UTCTime'],
    [0x17, '260101000000', 'x509: malformed UTCTime'],
    [0x18, '20500101000000Z', '2050-01-01T00:00:00Z'],
    [0x18, '20500101000000.5Z', 'x509: malformed GeneralizedTime'],
    [0x18, '205001010000Z', 'x509: malformed GeneralizedTime'],
    [0x13, '260101000000Z', 'x509: unsupported time format'],
  ])('%i %s is %s', (tag, text, expected) => {
    const instant = readInstant(cursorOver(der.derElement(tag, Buffer.from(text))));
    expect(typeof instant === 'string' ? instant : instant.text).toBe(expected);
  });

  it('is compared independent of its zone', () => {
    const instant = readInstant(cursorOver(der.derElement(0x17, Buffer.from('260101013000+0130'))));
    expect(instant).toMatchObject({ milliseconds: Date.parse('2026-01-01T00:00:00Z') });
  });
});

describe('a PEM text', () => {
  const { pem } = makeCertificate({ isAuthority: true });
  const [body = ''] = pem.match(/(?<=-----\n)[^-]*/) ?? [];

  it.each([
    ['as it is', pem, undefined],
    ['with CRLF', pem.replaceAll('\n', '\r\n'), undefined],
    ['without the last newline', pem.trimEnd(), undefined],
    ['behind a comment', `# the CA\n${pem}`, undefined],
    ['behind a BEGIN without END', `-----BEGIN CERTIFICATE-----\n${pem}`, undefined],
    ['behind a broken block', `-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n${pem}`, undefined],
    ['before a certificate that is none', `${pem}-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n`, undefined],
    ['with white space in the lines', pem.replaceAll('\n', ' \t\n'), undefined],
    ['with a byte order mark', `\uFEFF${pem}`, 'unable to parse bytes as PEM block'],
    ['on one line', pem.replaceAll('\n', ''), 'unable to parse bytes as PEM block'],
    ['indented', pem.replaceAll(/^/gm, ' '), 'unable to parse bytes as PEM block'],
    ['in base64', Buffer.from(pem).toString('base64'), 'unable to parse bytes as PEM block'],
    ['cut off', pem.slice(0, -20), 'unable to parse bytes as PEM block'],
    ['of another type', pem.replaceAll('CERTIFICATE', 'PUBLIC KEY'), 'no valid certificate authority data seen'],
    ['with headers', `-----BEGIN CERTIFICATE-----\nA: b\n\n${body}-----END CERTIFICATE-----\n`, 'no valid certificate authority data seen'],
    [
      'that is no certificate',
      '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n',
      'failed to parse certificate: x509: malformed tbs certificate',
    ],
    ['that is nothing', '', undefined],
    ['of a newline', '\n', 'unable to parse bytes as PEM block'],
  ])('as caBundle %s', (_, text, error) => {
    expect(bundleError(text)).toBe(error);
  });

  it('is read block by block', () => {
    const { blocks, rest } = readPem(`a\n${pem}b\n-----BEGIN X-----\n-----END X-----\nend`);
    expect(blocks.map(({ type, bytes }) => [type, bytes.length > 0])).toEqual([
      ['CERTIFICATE', true],
      ['X', false],
    ]);
    expect(rest).toBe('end');
    expect(certificatesIn(pem + pem)).toHaveLength(2);
  });
});
