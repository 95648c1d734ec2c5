import { afterAll, describe, expect, it } from 'vitest';
import { startDeadline } from '../../src/transport/deadline.js';
import { dial } from '../../src/transport/dial.js';
import { performHandshake, secureContext } from '../../src/transport/handshake.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { profileNamed } from '../support/certificate-profiles.js';
import { answerOf, certificates, closeServers, listen, listenTls, ok, onRequest } from './loopback.js';

afterAll(closeServers);

const post = 'Post "https://127.0.0.1:PORT/validate?timeout=10s": ';

/** Returns the result of a server that reads the ClientHello, sends these bytes in the clear and then ends, resets or is silent. */
async function afterHello(bytes: Buffer | string, then: 'end' | 'reset' | 'hang' = 'end', deadlineMs = 5_000): Promise<string> {
  const port = await listen(socket => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const finish = () => {
        if (then === 'end') socket.end();
        if (then === 'reset') socket.resetAndDestroy();
      };
      if (bytes.length === 0) finish();
      else socket.write(bytes, finish);
    });
  });
  return (await answerOf(port, { deadlineMs })).replace(post, '');
}

function record(type: number, ...body: readonly number[]): Buffer {
  return Buffer.from([type, 3, 3, 0, body.length, ...body]);
}

/** A ServerHello without extensions. */
function serverHello({ version = 0x0303, suite = 0xc02b, compression = 0, tail = 'x'.repeat(8) } = {}): Buffer {
  const body = Buffer.concat([
    Buffer.from([version >> 8, version & 255]),
    Buffer.alloc(24),
    Buffer.from(tail, 'latin1'),
    Buffer.from([0, suite >> 8, suite & 255, compression]),
  ]);
  return record(22, 2, 0, 0, body.length, ...body);
}

describe('a server without TLS', () => {
  it.each([
    ['', 'EOF'],
    ['no\n', 'unexpected EOF'],
    ['HTTP/1.0 400 Bad Request\r\n\r\n', 'http: server gave HTTP response to HTTPS client'],
    ['SSH-2.0-OpenSSH_9.6\r\n', 'tls: first record does not look like a TLS handshake'],
    [Buffer.alloc(64), 'tls: first record does not look like a TLS handshake'],
    [Buffer.from([0x80, 3, 3, 0, 0]), 'tls: unsupported SSLv2 handshake received'],
    [record(23, 1, 2), 'tls: first record does not look like a TLS handshake'],
    [Buffer.from([22, 3, 3, 0xff, 0xff, 1]), 'tls: oversized record received with length 65535'],
    [Buffer.from([22, 3, 3, 0, 100, 2, 2]), 'unexpected EOF'],
    [record(22, 0xfa, 0, 0, 0), 'local error: tls: unexpected message'],
    [
      record(22, 14, 0, 0, 0),
      'tls: received unexpected handshake message of type *tls.serverHelloDoneMsg when waiting for *tls.serverHelloMsg',
    ],
    [record(22, 2, 0, 0, 1, 3), 'local error: tls: error decoding message'],
    [record(22, 2, 2, 0, 0), 'tls: handshake message of length 131072 bytes exceeds maximum of 65536 bytes'],
    [record(22, 2, 0, 0, 9), 'EOF'],
    [serverHello({ version: 0x0302 }), 'tls: server selected unsupported protocol version 302'],
    [serverHello({ version: 0x0304, suite: 0x1301 }), 'tls: server selected TLS 1.3 using the legacy version field'],
    [serverHello({ suite: 0x002f }), 'tls: server chose an unconfigured cipher suite'],
    [serverHello({ compression: 1 }), 'tls: server selected unsupported compression format'],
    [serverHello({ tail: 'DOWNGRD\x01' }), 'tls: downgrade attempt detected, possibly due to a MitM attack or a broken middlebox'],
    [Buffer.concat([serverHello(), Buffer.from([22, 3, 1, 0, 0])]), 'tls: received record with version 301 when expecting version 303'],
  ])('reports Go’s error when it sends %j', async (bytes, expected) => {
    expect(await afterHello(bytes)).toBe(expected);
  });

  it('reports Go’s error when it resets or sends nothing', async () => {
    expect(await afterHello('', 'reset')).toBe('read tcp CLIENT->127.0.0.1:PORT: read: connection reset by peer');
    expect(await afterHello('', 'hang', 60)).toBe('context deadline exceeded');
    expect(await answerOf(await listen(socket => socket.end()))).toBe(`${post}EOF`);
    expect(await answerOf(await listen(socket => socket.resetAndDestroy()))).toBe(
      `${post}read tcp CLIENT->127.0.0.1:PORT: read: connection reset by peer`,
    );
  });
});

describe('an alert', () => {
  it.each([
    [0, 'EOF'],
    [10, 'remote error: tls: unexpected message'],
    [40, 'remote error: tls: handshake failure'],
    [42, 'remote error: tls: bad certificate'],
    [70, 'remote error: tls: protocol version not supported'],
    [112, 'remote error: tls: unrecognized name'],
    [120, 'remote error: tls: no application protocol'],
    [200, 'remote error: tls: alert(200)'],
  ])('names alert %d as Go does', async (code, expected) => {
    expect(await afterHello(record(21, 2, code))).toBe(expected);
  });

  it('ignores a warning alert, up to a limit', async () => {
    expect(await afterHello(record(21, 1, 112))).toBe('EOF');
    expect(await afterHello(Buffer.concat(Array.from({ length: 17 }, () => record(21, 1, 112))))).toBe('tls: too many ignored records');
    expect(await afterHello(record(21, 3, 40))).toBe('local error: tls: unexpected message');
  });
});

/** Returns the result of a server with a certificate of the corpus. */
async function answerWith(name: string): Promise<string> {
  const { chain, key, bundle, minimum, maximum, ciphers, clientCA } = profileNamed(name);
  const port = await listenTls(
    onRequest(socket => socket.write(ok('{}'))),
    {
      cert: chain,
      key,
      ...(minimum === undefined ? {} : { minVersion: minimum }),
      ...(maximum === undefined ? {} : { maxVersion: maximum }),
      ...(ciphers === undefined ? {} : { ciphers }),
      ...(clientCA === undefined ? {} : { ca: clientCA, requestCert: true, rejectUnauthorized: true }),
    },
  );
  return (await answerOf(port, { caBundle: bundle })).replace(post, '').replace(/current time \S+ is (\S+) \S+/, 'it is $1');
}

describe('the certificate of a server', () => {
  it.each([
    ['valid', '200 {}'],
    ['tls12', '200 {}'],
    ['tls13', '200 {}'],
    ['leaf-in-bundle', '200 {}'],
    ['intermediate-sent-after-other', '200 {}'],
    ['expired', 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: it is after'],
    ['unknown-ca', 'tls: failed to verify certificate: x509: certificate signed by unknown authority'],
    [
      'dns-only',
      "tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    ],
    ['cn-ip', 'tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead'],
    ['tls12-rsa-kex', 'remote error: tls: handshake failure'],
    ['client-certificate-tls12', 'remote error: tls: handshake failure'],
  ])('accepts or rejects %s as Go does', async (name, expected) => {
    expect(await answerWith(name)).toBe(expected);
  });

  it('contains all certificates in the server’s order, in TLS 1.2 and in 1.3', async () => {
    const root = makeCertificate({ isAuthority: true });
    const other = makeCertificate({ isAuthority: true, subject: 'other' });
    const leaf = makeCertificate({ issuer: root, dns: ['localhost'] });
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const cert = leaf.pem + other.pem + root.pem;
      const port = await listenTls(() => undefined, { cert, key: leaf.keyPem, minVersion: version, maxVersion: version });
      const deadline = startDeadline(5_000);
      const wire = await dial({ host: '127.0.0.1', port }, deadline);
      const now = () => new Date('2026-06-01T12:00:00Z');
      const settings = { serverName: 'localhost', bundle: root.pem, insecureSkipVerify: false, offersHttp2: false };
      const { certificates: shown } = await performHandshake(wire, { ...settings, context: secureContext(undefined), now }, deadline);
      deadline.stop();
      wire.socket.destroy();
      expect(shown.map(each => Buffer.from(each).toString('hex'))).toEqual(
        [leaf, other, root].map(each => Buffer.from(each.der).toString('hex')),
      );
    }
  });

  it('does not send a request to an untrusted server', async () => {
    let heard = '';
    const port = await listenTls(socket => socket.on('data', bytes => (heard += bytes)));
    const { pem } = makeCertificate({ isAuthority: true });
    expect(await answerOf(port, { caBundle: pem })).toBe(
      `${post}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
    expect(await answerOf(port, { caBundle: pem, deadlineMs: 500 }, { insecureSkipVerify: true })).toBe(`${post}context deadline exceeded`);
    expect(heard.match(/POST/g)).toHaveLength(1);
  });

  it('uses the name of the service in SNI', async () => {
    const names: (string | false | null | undefined)[] = [];
    const port = await listenTls(socket => {
      names.push('servername' in socket ? (socket.servername as string) : undefined);
      onRequest(answering => answering.write(ok('{}')))(socket);
    });
    const url = 'https://hook.team.svc:443/validate?timeout=10s';
    const address = { host: '127.0.0.1', port };
    expect(await answerOf(port, { url, address, serverName: 'hook.team.svc' })).toBe('200 {}');
    expect(await answerOf(port, { url, address, serverName: 'other.team.svc' })).toMatch(
      /x509: certificate is valid for .*, not other.team.svc$/,
    );
    expect(await answerOf(port)).toBe('200 {}');
    expect(names).toEqual(['hook.team.svc', false]);
  });
});

describe('a server that requires a client certificate', () => {
  it('gets the certificate, or rejects the client without one', async () => {
    const authority = makeCertificate({ isAuthority: true, notAfter: new Date('2090-01-01T00:00:00Z') });
    const client = makeCertificate({ issuer: authority, subject: 'client', notAfter: new Date('2090-01-01T00:00:00Z') });
    const options = { requestCert: true, rejectUnauthorized: true, ca: authority.pem };
    const behave = onRequest(socket => socket.write(ok('{}')));
    const clientCertificate = { certificate: client.pem, key: client.keyPem };
    const modern = await listenTls(behave, { ...options, minVersion: 'TLSv1.3' });
    expect(await answerOf(modern)).toBe(`${post}remote error: tls: certificate required`);
    expect(await answerOf(modern, {}, { clientCertificate })).toBe('200 {}');
    const older = await listenTls(behave, { ...options, maxVersion: 'TLSv1.2' });
    expect(await answerOf(older)).toBe(`${post}remote error: tls: handshake failure`);
    expect(await answerOf(older, {}, { clientCertificate })).toBe('200 {}');
  });

  it.each([
    [{ certificate: '', key: '' }, 'tls: failed to find any PEM data in certificate input'],
    [
      { certificate: 'KEY', key: 'CERT' },
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [{ certificate: 'CERT', key: 'CERT' }, 'tls: found a certificate rather than a key in the PEM for the private key'],
    [{ certificate: 'CERT', key: 'OTHER' }, 'tls: private key does not match public key'],
  ])('is not called if the client certificate is unusable: %j', async (texts, expected) => {
    const own = makeCertificate();
    const pems: Readonly<Record<string, string>> = { CERT: own.pem, KEY: own.keyPem, OTHER: makeCertificate().keyPem };
    const clientCertificate = { certificate: pems[texts.certificate] ?? '', key: pems[texts.key] ?? '' };
    expect(await answerOf(1, {}, { clientCertificate })).toBe(expected);
  });
});

describe('the handshake', () => {
  it('offers the same as Go', async () => {
    const { cert, key } = await certificates();
    const offers = async (options: object) => {
      const port = await listenTls(
        onRequest(socket => socket.write(ok('{}'))),
        { cert, key, ...options },
      );
      return (await answerOf(port)).replace(post, '');
    };
    expect(await offers({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA384' })).toBe('remote error: tls: handshake failure');
    expect(await offers({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).toBe('200 {}');
    expect(await offers({ ecdhCurve: 'P-521' })).toBe('200 {}');
    expect(await offers({ ALPNProtocols: ['spdy'] })).toBe('remote error: tls: no application protocol');
  });
});
