import { describe, expect, it } from 'vitest';
import { checkChain } from '../../src/certificates/check-chain.js';
import * as der from '../../src/certificates/der-writer.js';
import { alternativeNames, dnsName, type Made, makeCertificate } from '../support/certificate-maker.js';

const at = new Date('2026-06-01T12:00:00Z');
const root = makeCertificate({ isAuthority: true });
const leaf = makeCertificate({ issuer: root });
const clientAuth = der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.2'));

interface Shown {
  readonly chain?: readonly Made[];
  readonly bundle?: string;
  readonly serverName?: string;
}

function check({ chain = [leaf], bundle = root.pem, serverName = 'localhost' }: Shown, minDays = 0) {
  return checkChain({ chain: chain.map(made => made.der), bundle, serverName, at }, minDays);
}

describe('explanations of rejected certificates', () => {
  it.each<[string, Shown, string, string]>([
    [
      'its time is over',
      { chain: [makeCertificate({ issuer: root, notAfter: new Date('2026-05-30T00:00:00Z') })] },
      'the serving certificate expired 2 days ago, on 2026-05-30T00:00:00Z',
      'renew it: webhook-cli certs create',
    ],
    [
      'its time has not come',
      { chain: [makeCertificate({ issuer: root, notBefore: new Date('2026-06-02T00:00:00Z') })] },
      'the serving certificate is not valid before 2026-06-02T00:00:00Z',
      'correct the clock of this machine, or of the machine that issued it',
    ],
    [
      'another name',
      { serverName: 'webhook.team.svc' },
      'the API server expects webhook.team.svc, but the certificate is valid for localhost',
      'add the name: webhook-cli certs create --service team/webhook',
    ],
    [
      'the long name of the service',
      { chain: [makeCertificate({ issuer: root, dns: ['webhook.team.svc.cluster.local'] })], serverName: 'webhook.team.svc' },
      'the API server expects webhook.team.svc, but the certificate is valid for webhook.team.svc.cluster.local',
      'add the name: webhook-cli certs create --service team/webhook',
    ],
    [
      'an address among the names',
      { chain: [makeCertificate({ issuer: root, dns: ['127.0.0.1'] })], serverName: '127.0.0.1' },
      'the address is in the DNS names, where Go does not look for addresses',
      'add the name: webhook-cli certs create --ip 127.0.0.1',
    ],
    [
      'a common name only',
      { chain: [makeCertificate({ issuer: root, subject: 'localhost', extensions: { '2.5.29.17': undefined } })] },
      'the name is in the common name only (localhost), which Go ignores',
      'add the name: webhook-cli certs create --dns localhost',
    ],
    [
      'the CA was recreated',
      { bundle: makeCertificate({ isAuthority: true }).pem },
      'caBundle contains a CA with the same name, CN=root, but a different key: the CA was recreated',
      'inject the current one: webhook-cli certs inject',
    ],
    [
      'another authority',
      { bundle: makeCertificate({ isAuthority: true, subject: 'other' }).pem },
      'the server sent one certificate, signed by CN=root, and caBundle contains CN=other',
      'put CN=root into caBundle: webhook-cli certs inject; or make the server send the intermediate certificates',
    ],
    [
      'it signed itself',
      { chain: [makeCertificate()] },
      'the server sends a self-signed certificate that is not in caBundle',
      'put this certificate into caBundle: webhook-cli certs inject --ca-file',
    ],
    [
      'no caBundle',
      { bundle: '' },
      "caBundle is empty, so the API server uses the system's roots, and none of them signed this certificate",
      'inject the CA: webhook-cli certs inject',
    ],
    [
      'SHA-1',
      { chain: [makeCertificate({ issuer: root, hash: 'sha1' })] },
      'it is signed with SHA-1 or MD5, which Go rejects',
      'have it signed with SHA-256: webhook-cli certs create',
    ],
    [
      'no server',
      { chain: [makeCertificate({ issuer: root, extensions: { '2.5.29.37': { value: clientAuth } } })] },
      'it is not valid for TLS servers: its extended key usage lacks serverAuth',
      'create one for serverAuth: webhook-cli certs create',
    ],
  ])('%s', (_, shown, why, fix) => {
    const { error, explanation } = check(shown);
    expect(error).toContain('tls: ');
    expect(explanation).toEqual({ why, try: fix });
  });

  it.each([
    ['base64 twice', Buffer.from(root.pem).toString('base64'), 'it is encoded in base64 twice: encode it once'],
    ['DER', Buffer.from(root.der).toString('base64'), 'it is DER in base64: a caBundle is PEM in base64'],
    ['one line', root.pem.replaceAll('\n', ''), 'the PEM text is on one line: restore its line breaks'],
    ['written line ends', root.pem.replaceAll('\n', '\\n'), 'it contains \\n as two characters: use real line breaks'],
    ['indented', root.pem.replaceAll(/^/gm, '  '), 'the PEM lines are indented: they must start at the first column'],
    ['cut off', root.pem.slice(0, 100), 'the PEM text is truncated'],
    ['a byte order mark', `\uFEFF${root.pem}`, 'it starts with a byte order mark: save it without one'],
    ['a key', root.keyPem, 'it contains a private key and no certificate: use the certificate, and create a new key'],
    ['white space', ' \n', 'it contains only white space'],
    ['anything', 'Zm9v', 'caBundle contains no usable certificate'],
  ])('a caBundle that cannot be used: %s', (_, bundle, why) => {
    const { error, explanation } = check({ bundle });
    expect(error).toMatch(/^unable to load root certificates: /);
    expect(explanation?.why).toBe(why);
  });

  it('notes what is accepted but questionable', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
    expect(check({ bundle: leaf.pem + broken + root.keyPem })).toMatchObject({
      error: undefined,
      notes: [
        'caBundle contains a private key that everyone can read: remove it and create a new one',
        '1 of the certificates in caBundle cannot be parsed; Go skips them',
        'caBundle contains the serving certificate itself: it stops working at its next renewal',
      ],
    });
    const authority = makeCertificate({ isAuthority: true, extensions: { '2.5.29.17': alternativeNames(dnsName('localhost')) } });
    expect(check({ chain: [authority], bundle: authority.pem }).notes).toContain(
      'the server uses a CA certificate, CN=root: Go accepts that, other clients do not',
    );
  });

  it('warns about upcoming expiry', () => {
    expect(check({}, 213).endsSoon).toBeUndefined();
    expect(check({}, 214)).toMatchObject({ error: undefined, endsSoon: expect.stringContaining('is after 2027-01-01T00:00:00Z') });
  });
});
