import { generateKeyPairSync } from 'node:crypto';
import { alternativeNames, type Differences, dnsName, ipName, makeCertificate } from '../../support/certificate-maker.js';
import { type Profile, profileNamed } from '../../support/certificate-profiles.js';
import { allowed, answer, connection, type Fault, type Setting, w1, w7 } from './fault.js';

const good = answer(allowed);
const unknownAuthority = 'x509: certificate signed by unknown authority';

/** A certificate that fails verification. */
function refused(name: string, certificate: string, message: string, setting: Setting = {}): Fault {
  return bad(name, certificate, `tls: failed to verify certificate: ${message}`, setting);
}

function bad(name: string, certificate: string, message: string, setting: Setting = {}): Fault {
  return { name, script: good, decision: 'tls', message: w1(message, setting), setting: { ...setting, certificate } };
}

function fine(name: string, certificate: string, setting: Setting = {}): Fault {
  return { name, script: good, decision: 'allowed', message: '', setting: { ...setting, certificate } };
}

function candidate(message: string, authority = 'Webhook CA'): string {
  return `${unknownAuthority} (possibly because of "${message}" while trying to verify candidate authority certificate "${authority}")`;
}

const byName: Setting = { host: 'localhost' };
const noIpNames = "x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs";
const legacy = 'x509: certificate relies on legacy Common Name field, use SANs instead';
const noNames = 'x509: certificate is not valid for any names, but wanted to match localhost';
const usage = 'x509: certificate specifies an incompatible key usage';
const expired = 'x509: certificate has expired or is not yet valid: current time NOW is after TIME';
const alert = (code: number): Uint8Array => Uint8Array.of(0x15, 3, 1, 0, 2, 2, code);

const alerts: readonly (readonly [name: string, code: number, words: string])[] = [
  ['alert', 112, 'unrecognized name'],
  ['alert', 120, 'no application protocol'],
  ['alert', 40, 'handshake failure'],
  ['alert', 48, 'unknown certificate authority'],
  ['alert', 42, 'bad certificate'],
  ['alert', 43, 'unsupported certificate'],
  ['alert', 45, 'expired certificate'],
  ['alert', 46, 'unknown certificate'],
  ['alert', 47, 'illegal parameter'],
  ['alert', 49, 'access denied'],
  ['alert', 50, 'error decoding message'],
  ['alert', 70, 'protocol version not supported'],
  ['alert', 71, 'insufficient security level'],
  ['alert', 80, 'internal error'],
  ['alert', 86, 'inappropriate fallback'],
  ['alert', 116, 'certificate required'],
];

const pem = profileNamed('valid').bundle;
const noPem = 'unable to load root certificates: unable to parse bytes as PEM block';

function bundle(name: string, text: string, message: string): Fault {
  return { name, script: good, decision: 'tls', message: message === '' ? '' : w7(message), setting: { bundle: text } };
}

/** A certificate with these names, signed by a trusted CA. */
function made(differences: Differences): () => Profile {
  return () => {
    const issuer = makeCertificate({ isAuthority: true, ...thisYear });
    const { pem: chain, keyPem: key } = makeCertificate({ issuer, ...thisYear, ...differences });
    return { chain, key, bundle: issuer.pem };
  };
}

/** Certificates are verified with the real time. */
const thisYear = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };

function named(...names: readonly Uint8Array[]): Differences {
  return { extensions: { '2.5.29.17': alternativeNames(...names) } };
}

function withMade(name: string, differences: Differences, detail = '', setting: Setting = {}): Fault {
  const message = detail === '' ? '' : w1(detail, setting);
  return { name, script: good, decision: detail === '' ? 'allowed' : 'tls', message, setting: { ...setting, made: made(differences) } };
}

/** A CA that signs with MD5, and a certificate signed by it. */
function signedWithMd5(): Profile {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const issuer = makeCertificate({ isAuthority: true, subject: 'lab ca', key, hash: 'md5', ...thisYear });
  const leaf = makeCertificate({ issuer, hash: 'md5', ...named(ipName(127, 0, 0, 1)), ...thisYear });
  // OpenSSL serves such a chain only at security level 0.
  return { chain: leaf.pem, key: leaf.keyPem, bundle: issuer.pem, ciphers: 'DEFAULT@SECLEVEL=0' };
}

const verification = 'tls: failed to verify certificate: ';
const manyNames = Array.from({ length: 120 }, (_, i) => dnsName(`n${i}.example.com`));

/** Group B: TLS, certificates and bundles. */
export const tlsFaults: readonly Fault[] = [
  refused('expired certificate', 'expired', expired),
  refused(
    'certificate that is not valid yet',
    'not-yet-valid',
    'x509: certificate has expired or is not yet valid: current time NOW is before TIME',
  ),
  refused('expired authority', 'expired-ca', expired),
  refused(
    'certificate for other DNS names',
    'dns-only',
    'x509: certificate is valid for a.example.com, b.example.com, not localhost',
    byName,
  ),
  refused('certificate without IP addresses', 'dns-only', noIpNames),
  refused('certificate for another IP address', 'ip-other', 'x509: certificate is valid for 10.0.0.1, not 127.0.0.1'),
  withMade('IP address as a DNS name', named(dnsName('127.0.0.1')), verification + noIpNames),
  withMade('IPv6 address', named(ipName(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), '', { host: '[::1]' }),
  withMade('IPv4 address mapped to IPv6', named(ipName(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1))),
  refused('common name only', 'cn-localhost', legacy, byName),
  refused('IP address as common name only', 'cn-ip', legacy),
  refused('certificate without names', 'no-name-at-all', noIpNames),
  refused('certificate without names', 'no-name-at-all', noNames, byName),
  refused('names of other types only', 'uri-san', noNames, byName),
  refused('names of other types only', 'email-san', noNames, byName),
  refused('wildcard that does not match', 'wildcard', 'x509: certificate is valid for *.example.com, *.svc, not localhost', byName),
  refused('wildcard that does not match', 'star', 'x509: certificate is valid for *, not localhost', byName),
  withMade(
    'certificate for many names',
    named(...manyNames),
    `${verification}x509: certificate is valid for 120 names, but none matched localhost`,
    byName,
  ),
  refused('unknown self-signed certificate', 'self-signed-unknown', unknownAuthority),
  refused('unknown authority', 'unknown-ca', unknownAuthority),
  refused('authority with the same name and another key', 'same-name-ca', candidate('x509: ECDSA verification failure')),
  refused('authority with the same name and another key', 'same-name-ca-rsa', candidate('crypto/rsa: verification error')),
  refused('missing intermediate', 'intermediate-not-sent', unknownAuthority),
  fine('intermediate in the bundle', 'intermediate-in-bundle'),
  fine('leaf in the bundle', 'leaf-in-bundle'),
  refused(
    'issuer that is not an authority',
    'ca-not-a-ca',
    candidate('x509: invalid signature: parent certificate cannot sign this kind of certificate'),
  ),
  refused('path length exceeded', 'path-length', 'x509: too many intermediates for path length constraint'),
  refused(
    'name constraint violated',
    'name-constraints-dns',
    'x509: a root or intermediate certificate is not authorized to sign for this name: DNS name "localhost" is not permitted by any constraint',
    byName,
  ),
  refused('extended key usage for something else', 'client-auth-eku', usage),
  refused('extended key usage for something else', 'code-signing-eku', usage),
  refused('SHA-1 signature', 'sha1', candidate('x509: cannot verify signature: insecure algorithm SHA1-RSA')),
  {
    name: 'MD5 signature',
    script: good,
    decision: 'tls',
    message: w1(`${verification}${candidate('x509: cannot verify signature: insecure algorithm MD5-RSA', 'lab ca')}`),
    setting: { made: signedWithMd5 },
  },
  fine('no extended key usage', 'no-eku'),
  fine('leaf that is an authority', 'leaf-is-ca'),
  refused('unknown critical extension', 'critical-extension', 'x509: unhandled critical extension'),
  withMade(
    'negative serial number',
    { ...named(ipName(127, 0, 0, 1)), serialNumber: -5n },
    'tls: failed to parse certificate from server: x509: negative serial number',
  ),
  fine('RSA key of 1024 bits', 'rsa1024'),
  fine('other key types', 'ed25519'),
  fine('other key types', 'p384'),
  bad('TLS version too old', 'tls10', 'remote error: tls: protocol version not supported'),
  bad('TLS version too old', 'tls11', 'remote error: tls: protocol version not supported'),
  bad('no common cipher suite', 'tls12-rsa-kex', 'remote error: tls: handshake failure'),
  bad('client certificate required in TLS 1.3', 'client-certificate-tls13', 'remote error: tls: certificate required'),
  bad('client certificate required in TLS 1.2', 'client-certificate-tls12', 'remote error: tls: handshake failure'),
  { name: 'connection closed without an alert', script: connection('client-hello', '', 'close'), decision: 'tcp', message: w1('EOF') },
  refused('certificate for one other DNS name', 'dns-one', 'x509: certificate is valid for a.example.com, not localhost', byName),
  ...alerts.map(
    ([name, code, message]): Fault => ({
      name,
      script: connection('client-hello', alert(code), 'close'),
      decision: 'tls',
      message: w1(`remote error: tls: ${message}`),
    }),
  ),
  {
    name: 'HTTP reply to a TLS client hello',
    script: connection('client-hello', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'close'),
    decision: 'tls',
    message: w1('http: server gave HTTP response to HTTPS client'),
  },
  {
    name: 'SSH reply to a TLS client hello',
    script: connection('client-hello', 'SSH-2.0-OpenSSH_9.2p1\r\n', 'close'),
    decision: 'tls',
    message: w1('tls: first record does not look like a TLS handshake'),
  },
  {
    name: 'oversized TLS record',
    script: connection('client-hello', Uint8Array.of(0x16, 3, 3, 0xff, 0xff, 0, 0), 'close'),
    decision: 'tls',
    message: w1('tls: oversized record received with length 65535'),
  },
  fine('intermediate sent after another certificate', 'intermediate-sent-after-other'),
  bundle('bundle without a PEM block', 'no pem', noPem),
  bundle('bundle without a PEM block', Buffer.from(pem).toString('base64'), noPem),
  bundle('bundle without a PEM block', pem.replaceAll('\n', ' '), noPem),
  bundle('bundle with a byte order mark', `\ufeff${pem}`, noPem),
  bundle(
    'bundle with a private key only',
    profileNamed('valid').key,
    'unable to load root certificates: no valid certificate authority data seen',
  ),
  bundle(
    'bundle with a malformed certificate',
    '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n',
    'unable to load root certificates: failed to parse certificate: x509: malformed tbs certificate',
  ),
  {
    name: 'bundle with a malformed second certificate',
    script: good,
    decision: 'allowed',
    message: '',
    setting: { bundle: `${pem}-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n` },
  },
  {
    name: 'bundle with comments and CRLF line ends',
    script: good,
    decision: 'allowed',
    message: '',
    setting: { bundle: `a comment\r\n${pem.replaceAll('\n', '\r\n')}junk\r\n${pem}` },
  },
  // Without a bundle the system's roots are used, which do not contain a private CA.
  { name: 'empty bundle', script: good, decision: 'tls', message: w1(`${verification}${unknownAuthority}`), setting: { bundle: '' } },
];
