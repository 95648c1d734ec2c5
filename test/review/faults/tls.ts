import { generateKeyPairSync } from 'node:crypto';
import { alternativeNames, type Differences, dnsName, ipName, makeCertificate } from '../../support/certificate-maker.js';
import { type Profile, profileNamed } from '../../support/certificate-profiles.js';
import { allowed, answer, connection, type Fault, type Setting, w1, w7 } from './fault.js';

const good = answer(allowed);
const unknownAuthority = 'x509: certificate signed by unknown authority';

/** A certificate that is refused by verification. */
function refused(row: string, certificate: string, words: string, setting: Setting = {}): Fault {
  return bad(row, certificate, `tls: failed to verify certificate: ${words}`, setting);
}

function bad(row: string, certificate: string, words: string, setting: Setting = {}): Fault {
  return { row, script: good, verdict: 'tls', message: w1(words, setting), setting: { ...setting, certificate } };
}

function fine(row: string, certificate: string, setting: Setting = {}): Fault {
  return { row, script: good, verdict: 'allowed', message: '', setting: { ...setting, certificate } };
}

function candidate(words: string, authority = 'Webhook CA'): string {
  return `${unknownAuthority} (possibly because of "${words}" while trying to verify candidate authority certificate "${authority}")`;
}

const byName: Setting = { host: 'localhost' };
const noIpNames = "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs";
const legacy = 'x509: certificate relies on legacy Common Name field, use SANs instead';
const noNames = 'x509: certificate is not valid for any names, but wanted to match localhost';
const usage = 'x509: certificate specifies an incompatible key usage';
const expired = 'x509: certificate has expired or is not yet valid: current time NOW is after TIME';
const alert = (code: number): Uint8Array => Uint8Array.of(0x15, 3, 1, 0, 2, 2, code);

const alerts: readonly (readonly [row: string, code: number, words: string])[] = [
  ['B41', 112, 'unrecognized name'],
  ['B43', 120, 'no application protocol'],
  ['B33', 40, 'handshake failure'],
  ['B39', 48, 'unknown certificate authority'],
  ['B44', 42, 'bad certificate'],
  ['B44', 43, 'unsupported certificate'],
  ['B44', 45, 'expired certificate'],
  ['B44', 46, 'unknown certificate'],
  ['B44', 47, 'illegal parameter'],
  ['B44', 49, 'access denied'],
  ['B44', 50, 'error decoding message'],
  ['B44', 70, 'protocol version not supported'],
  ['B44', 71, 'insufficient security level'],
  ['B44', 80, 'internal error'],
  ['B44', 86, 'inappropriate fallback'],
  ['B44', 116, 'certificate required'],
];

const pem = profileNamed('valid').bundle;
const noPem = 'unable to load root certificates: unable to parse bytes as PEM block';

function bundle(row: string, text: string, words: string): Fault {
  return { row, script: good, verdict: 'tls', message: words === '' ? '' : w7(words), setting: { bundle: text } };
}

/** A certificate with these names, made by an authority that is trusted. */
function made(differences: Differences): () => Profile {
  return () => {
    const issuer = makeCertificate({ isAuthority: true, ...thisYear });
    const { pem: chain, keyPem: key } = makeCertificate({ issuer, ...thisYear, ...differences });
    return { chain, key, bundle: issuer.pem };
  };
}

/** Certificates are looked at with the real clock. */
const thisYear = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };

function named(...names: readonly Uint8Array[]): Differences {
  return { extensions: { '2.5.29.17': alternativeNames(...names) } };
}

function withMade(row: string, differences: Differences, words = '', setting: Setting = {}): Fault {
  const message = words === '' ? '' : w1(words, setting);
  return { row, script: good, verdict: words === '' ? 'allowed' : 'tls', message, setting: { ...setting, made: made(differences) } };
}

/** An authority that signs with MD5, and what it signed. */
function signedWithMd5(): Profile {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issuer = makeCertificate({ isAuthority: true, subject: 'lab ca', key, hash: 'md5', ...thisYear });
  const leaf = makeCertificate({ issuer, hash: 'md5', ...named(ipName(127, 0, 0, 1)), ...thisYear });
  // OpenSSL serves such a chain only when it is told not to mind.
  return { chain: leaf.pem, key: leaf.keyPem, bundle: issuer.pem, ciphers: 'DEFAULT@SECLEVEL=0' };
}

const verification = 'tls: failed to verify certificate: ';
const manyNames = Array.from({ length: 120 }, (_, i) => dnsName(`n${i}.example.com`));

/** Group B: TLS, certificates and bundles. */
export const tlsFaults: readonly Fault[] = [
  refused('B01', 'expired', expired),
  refused('B02', 'not-yet-valid', 'x509: certificate has expired or is not yet valid: current time NOW is before TIME'),
  refused('B03', 'expired-ca', expired),
  refused('B04', 'dns-only', 'x509: certificate is valid for a.example.com, b.example.com, not localhost', byName),
  refused('B05', 'dns-only', noIpNames),
  refused('B06', 'ip-other', 'x509: certificate is valid for 10.0.0.1, not 127.0.0.1'),
  withMade('B07', named(dnsName('127.0.0.1')), verification + noIpNames),
  withMade('B08', named(ipName(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), '', { host: '[::1]' }),
  withMade('B09', named(ipName(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1))),
  refused('B10', 'cn-localhost', legacy, byName),
  refused('B11', 'cn-ip', legacy),
  refused('B12', 'no-name-at-all', noIpNames),
  refused('B12', 'no-name-at-all', noNames, byName),
  refused('B13', 'uri-san', noNames, byName),
  refused('B13', 'email-san', noNames, byName),
  refused('B14', 'wildcard', 'x509: certificate is valid for *.example.com, *.svc, not localhost', byName),
  refused('B14', 'star', 'x509: certificate is valid for *, not localhost', byName),
  withMade('B15', named(...manyNames), `${verification}x509: certificate is valid for 120 names, but none matched localhost`, byName),
  refused('B16', 'self-signed-unknown', unknownAuthority),
  refused('B17', 'unknown-ca', unknownAuthority),
  refused('B18', 'same-name-ca', candidate('x509: ECDSA verification failure')),
  refused('B18', 'same-name-ca-rsa', candidate('crypto/rsa: verification error')),
  refused('B19', 'intermediate-not-sent', unknownAuthority),
  fine('B20', 'intermediate-in-bundle'),
  fine('B21', 'leaf-in-bundle'),
  refused('B22', 'ca-not-a-ca', candidate('x509: invalid signature: parent certificate cannot sign this kind of certificate')),
  refused('B23', 'path-length', 'x509: too many intermediates for path length constraint'),
  refused(
    'B24',
    'name-constraints-dns',
    'x509: a root or intermediate certificate is not authorized to sign for this name: DNS name "localhost" is not permitted by any constraint',
    byName,
  ),
  refused('B25', 'client-auth-eku', usage),
  refused('B25', 'code-signing-eku', usage),
  refused('B26', 'sha1', candidate('x509: cannot verify signature: insecure algorithm SHA1-RSA')),
  {
    row: 'B27',
    script: good,
    verdict: 'tls',
    message: w1(`${verification}${candidate('x509: cannot verify signature: insecure algorithm MD5-RSA', 'lab ca')}`),
    setting: { made: signedWithMd5 },
  },
  fine('B28', 'no-eku'),
  fine('B29', 'leaf-is-ca'),
  refused('B30', 'critical-extension', 'x509: unhandled critical extension'),
  withMade(
    'B31',
    { ...named(ipName(127, 0, 0, 1)), serialNumber: -5n },
    'tls: failed to parse certificate from server: x509: negative serial number',
  ),
  fine('B32', 'rsa1024'),
  fine('B34', 'ed25519'),
  fine('B34', 'p384'),
  bad('B35', 'tls10', 'remote error: tls: protocol version not supported'),
  bad('B35', 'tls11', 'remote error: tls: protocol version not supported'),
  bad('B36', 'tls12-rsa-kex', 'remote error: tls: handshake failure'),
  bad('B37', 'client-certificate-tls13', 'remote error: tls: certificate required'),
  bad('B38', 'client-certificate-tls12', 'remote error: tls: handshake failure'),
  { row: 'B40', script: connection('client-hello', '', 'close'), verdict: 'tcp', message: w1('EOF') },
  refused('B42', 'dns-one', 'x509: certificate is valid for a.example.com, not localhost', byName),
  ...alerts.map(
    ([row, code, words]): Fault => ({
      row,
      script: connection('client-hello', alert(code), 'close'),
      verdict: 'tls',
      message: w1(`remote error: tls: ${words}`),
    }),
  ),
  {
    row: 'B45',
    script: connection('client-hello', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'close'),
    verdict: 'tls',
    message: w1('http: server gave HTTP response to HTTPS client'),
  },
  {
    row: 'B46',
    script: connection('client-hello', 'SSH-2.0-OpenSSH_9.2p1\r\n', 'close'),
    verdict: 'tls',
    message: w1('tls: first record does not look like a TLS handshake'),
  },
  {
    row: 'B47',
    script: connection('client-hello', Uint8Array.of(0x16, 3, 3, 0xff, 0xff, 0, 0), 'close'),
    verdict: 'tls',
    message: w1('tls: oversized record received with length 65535'),
  },
  fine('B48', 'intermediate-sent-after-other'),
  bundle('B51', 'no pem', noPem),
  bundle('B51', Buffer.from(pem).toString('base64'), noPem),
  bundle('B51', pem.replaceAll('\n', ' '), noPem),
  bundle('B52', `\ufeff${pem}`, noPem),
  bundle('B53', profileNamed('valid').key, 'unable to load root certificates: no valid certificate authority data seen'),
  bundle(
    'B54',
    '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n',
    'unable to load root certificates: failed to parse certificate: x509: malformed tbs certificate',
  ),
  {
    row: 'B55',
    script: good,
    verdict: 'allowed',
    message: '',
    setting: { bundle: `${pem}-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n` },
  },
  {
    row: 'B56',
    script: good,
    verdict: 'allowed',
    message: '',
    setting: { bundle: `a comment\r\n${pem.replaceAll('\n', '\r\n')}junk\r\n${pem}` },
  },
  // Without a bundle the machine's roots count, and an authority of one's own is none of them.
  { row: 'B57', script: good, verdict: 'tls', message: w1(`${verification}${unknownAuthority}`), setting: { bundle: '' } },
];
