import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as der from '../../src/certificates/der-writer.js';
import { pemText } from '../../src/x509/pem.js';
import { peerCertificateError } from '../../src/x509/verify-chain.js';
import { figureOf } from '../corpus/figures.js';
import { readFolder } from '../corpus/files.js';
import { alternativeNames, type Differences, dnsName, ipName, type Made, makeCertificate } from '../support/certificate-maker.js';

const at = new Date('2026-06-01T12:00:00Z');
const root = makeCertificate({ isAuthority: true });

function verify(leaf: Made, { bundle = root.pem, serverName = 'localhost', more = [] as readonly Made[] } = {}): string | undefined {
  const error = peerCertificateError({ chain: [leaf, ...more].map(made => made.der), bundle, serverName, at });
  return error?.replace('tls: failed to verify certificate: ', '');
}

function signed(differences: Differences = {}): Made {
  return makeCertificate({ issuer: root, ...differences });
}

const serverAuth = der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'));
const clientAuth = der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.2'));
const past = new Date('2026-02-01T00:00:00Z');

describe('a chain by Go’s rules', () => {
  it('has the messages of the recorded API server, in every case', async () => {
    const [file] = readFolder('functions').filter(({ name }) => name === 'certificates');
    expect(file).toBeDefined();
    if (file === undefined) return;
    const figure = await figureOf(file);
    expect(figure.differences).toEqual([]);
    expect(figure.total).toBeGreaterThan(300);
  });

  it.each<{ readonly what: string; readonly differences: Differences; readonly error: string | undefined }>([
    { what: 'a plain leaf', differences: {}, error: undefined },
    { what: 'one for TLS servers', differences: { extensions: { '2.5.29.37': { value: serverAuth } } }, error: undefined },
    {
      what: 'one for clients',
      differences: { extensions: { '2.5.29.37': { value: clientAuth } } },
      error: 'x509: certificate specifies an incompatible key usage',
    },
    {
      what: 'a critical extension nobody knows, before the date',
      differences: { notAfter: past, extensions: { '1.2.3': { value: der.nullValue(), critical: true } } },
      error: 'x509: unhandled critical extension',
    },
    {
      what: 'the date before the name',
      differences: { notAfter: past, dns: ['other'] },
      error: 'x509: certificate has expired or is not yet valid: current time 2026-06-01T12:00:00Z is after 2026-02-01T00:00:00Z',
    },
    {
      what: 'the name before the key usage',
      differences: { dns: ['other'], extensions: { '2.5.29.37': { value: clientAuth } } },
      error: 'x509: certificate is valid for other, not localhost',
    },
    {
      what: 'a common name without alternative names',
      differences: { subject: 'localhost', extensions: { '2.5.29.17': undefined } },
      error: 'x509: certificate relies on legacy Common Name field, use SANs instead',
    },
    { what: 'SHA-1', differences: { hash: 'sha1' }, error: unknown('x509: cannot verify signature: insecure algorithm ECDSA-SHA1') },
  ])('verifies $what', ({ differences, error }) => {
    expect(verify(signed(differences))).toBe(error);
  });

  it('rejects a chain if the bundle has another authority', () => {
    const other = makeCertificate({ isAuthority: true, subject: 'other' });
    expect(verify(signed(), { bundle: other.pem })).toBe('x509: certificate signed by unknown authority');
  });

  it('finds a CA with the same name but a different key', () => {
    const namesake = makeCertificate({ isAuthority: true });
    expect(verify(signed(), { bundle: namesake.pem })).toBe(unknown('x509: ECDSA verification failure'));
    expect(verify(signed(), { bundle: namesake.pem + root.pem })).toBeUndefined();
  });

  it('trusts a leaf in the bundle itself, with any signature', () => {
    const alone = makeCertificate();
    expect(verify(alone, { bundle: alone.pem })).toBeUndefined();
    expect(verify(alone)).toBe('x509: certificate signed by unknown authority');
  });

  it('uses intermediates in any order, and stops at one in the bundle', () => {
    const first = makeCertificate({ isAuthority: true, subject: 'first', issuer: root });
    const second = makeCertificate({ isAuthority: true, subject: 'second', issuer: first });
    const leaf = makeCertificate({ issuer: second });
    expect(verify(leaf, { more: [first, second] })).toBeUndefined();
    expect(verify(leaf, { more: [second], bundle: first.pem })).toBeUndefined();
    expect(verify(leaf, { more: [second] })).toBe('x509: certificate signed by unknown authority');
  });

  it('counts intermediates against the path length', () => {
    const narrow = makeCertificate({
      isAuthority: true,
      extensions: { '2.5.29.19': { value: der.sequence(der.boolean(true), der.derInteger(0n)), critical: true } },
    });
    const between = makeCertificate({ isAuthority: true, subject: 'between', issuer: narrow });
    const leaf = makeCertificate({ issuer: between });
    expect(verify(leaf, { more: [between], bundle: narrow.pem })).toBe('x509: too many intermediates for path length constraint');
    expect(verify(makeCertificate({ issuer: narrow }), { bundle: narrow.pem })).toBeUndefined();
  });

  it('rejects a signature by a certificate that is not an authority', () => {
    const plain = makeCertificate({ subject: 'plain' });
    expect(verify(makeCertificate({ issuer: plain }), { bundle: plain.pem })).toBe(
      unknown('x509: invalid signature: parent certificate cannot sign this kind of certificate', 'plain'),
    );
  });

  it('checks name constraints', () => {
    const permitted = der.sequence(der.explicit(0, der.sequence(dnsName('example.com'))));
    const bound = makeCertificate({ isAuthority: true, extensions: { '2.5.29.30': { value: permitted, critical: true } } });
    const prefix = 'x509: a root or intermediate certificate is not authorized to sign for this name: ';
    expect(verify(makeCertificate({ issuer: bound }), { bundle: bound.pem })).toBe(
      `${prefix}DNS name "localhost" is not permitted by any constraint`,
    );
    const inside = makeCertificate({ issuer: bound, dns: ['a.example.com'] });
    expect(verify(inside, { bundle: bound.pem, serverName: 'a.example.com' })).toBeUndefined();
  });

  it('checks policies if a chain requires them', () => {
    const strict = makeCertificate({
      isAuthority: true,
      subject: 'strict',
      issuer: root,
      extensions: { '2.5.29.36': { value: der.sequence(der.implicit(0, Uint8Array.of(0))), critical: true } },
    });
    expect(verify(makeCertificate({ issuer: strict }), { more: [strict] })).toBe(
      'x509: no valid chains built: 1 candidate chains with invalid policies',
    );
  });

  it('reports an unparsable certificate with another prefix', () => {
    const verifyRaw = (...chain: Uint8Array[]) => peerCertificateError({ chain, bundle: root.pem, serverName: 'localhost', at });
    expect(verifyRaw(Buffer.from('no'))).toBe('tls: failed to parse certificate from server: x509: malformed certificate');
    expect(verifyRaw(Buffer.concat([signed().der, Buffer.from([0])]))).toBe(
      'tls: failed to parse certificate from server: x509: trailing data',
    );
    expect(verifyRaw()).toBe('tls: received empty certificates message');
    expect(verifyRaw(signed({ dns: ['x'] }).der)).toBe(
      'tls: failed to verify certificate: x509: certificate is valid for x, not localhost',
    );
  });

  it('rejects keys that TLS servers cannot use', () => {
    const { privateKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
    const leaf = makeCertificate({ issuer: root, key: privateKey });
    expect(peerCertificateError({ chain: [leaf.der], bundle: root.pem, serverName: 'localhost', at })).toBe(
      "tls: server's certificate contains an unsupported type of public key: *dsa.PublicKey",
    );
  });

  it('uses Node’s roots without a bundle', () => {
    const chain = [signed().der];
    for (const bundle of [undefined, '']) {
      expect(peerCertificateError({ chain, bundle, serverName: 'localhost', at })).toBe(
        'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      );
    }
  });

  it('gives up after a hundred signatures', () => {
    const namesakes = Array.from({ length: 101 }, (_, i) => makeCertificate({ isAuthority: true, key: root.key, serialNumber: BigInt(i) }));
    const strangers = namesakes.map(({ der: bytes }, i) => pemText('CERTIFICATE', i === 100 ? root.der : bytes)).join('');
    const leaf = makeCertificate({ issuer: { ...root, key: makeCertificate().key } });
    expect(verify(leaf, { bundle: strangers })).toBe('x509: signature check attempts limit reached while verifying certificate chain');
  });
});

describe('the name of a host', () => {
  it.each([
    ['localhost', ['localhost'], true],
    ['LOCALHOST', ['localhost'], true],
    ['localhost.', ['localhost'], true],
    ['localhost', ['localhost.'], false],
    ['a.example.com', ['*.example.com'], true],
    ['example.com', ['*.example.com'], false],
    ['a.b.example.com', ['*.example.com'], false],
    ['a.example.com', ['a*.example.com'], false],
    ['a.example.com', ['*'], false],
    ['my_host', ['my_host'], true],
    ['bücher.example', ['xn--bcher-kva.example'], false],
  ] as const)('%s is covered by %j: %s', (serverName, dns, covered) => {
    expect(verify(signed({ dns }), { serverName }) === undefined).toBe(covered);
  });

  it.each([
    ['127.0.0.1', [ipName(127, 0, 0, 1)], undefined],
    ['[::1]', [ipName(...Array.from({ length: 15 }, () => 0), 1)], undefined],
    ['127.0.0.1', [ipName(...Array.from({ length: 10 }, () => 0), 255, 255, 127, 0, 0, 1)], undefined],
    ['127.0.0.1', [dnsName('127.0.0.1')], "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
    [
      '127.0.0.1',
      [ipName(10, 0, 0, 1), ipName(...Array.from({ length: 15 }, () => 0), 1)],
      'x509: certificate is valid for 10.0.0.1, ::1, not 127.0.0.1',
    ],
    ['localhost', [ipName(127, 0, 0, 1)], 'x509: certificate is not valid for any names, but wanted to match localhost'],
  ] as const)('%s is looked for among the addresses', (serverName, names, error) => {
    expect(verify(signed({ extensions: { '2.5.29.17': alternativeNames(...names) } }), { serverName })).toBe(error);
  });

  it('is not listed if there are a hundred names', () => {
    const dns = Array.from({ length: 100 }, (_, i) => `host${i}`);
    expect(verify(signed({ dns }))).toBe('x509: certificate is valid for 100 names, but none matched localhost');
    expect(verify(signed({ dns: dns.slice(1) }))).toContain('host98, host99, not localhost');
  });
});

function unknown(reason: string, authority = 'root'): string {
  return `x509: certificate signed by unknown authority (possibly because of "${reason}" while trying to verify candidate authority certificate "${authority}")`;
}
