import { createServer } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createTransport } from '../../src/transport/call-webhook.js';
import { makeCertificate } from '../support/certificate-maker.js';
import { answerOf, call, certificates, closeServers, listen, listenTls, ok, onRequest, started, textOf } from './loopback.js';

afterAll(closeServers);

const post = 'Post "https://127.0.0.1:PORT/validate?timeout=10s": ';

/** A TLS server with these answers in sequence, the last one repeatedly, and its received requests. */
async function answering(...answers: readonly string[]): Promise<{ port: number; requests: string[]; connections: () => number }> {
  const requests: string[] = [];
  let connections = 0;
  const port = await listenTls(socket => {
    connections += 1;
    onRequest((_, request) => {
      socket.write(answers[Math.min(requests.length, answers.length - 1)] ?? '');
      requests.push(request);
    })(socket);
  });
  return { port, requests, connections: () => connections };
}

function answer(status: number, ...fields: readonly string[]): string {
  return [`HTTP/1.1 ${status} x`, ...fields, 'Content-Length: 4', '', 'text'].join('\r\n');
}

function lines(request: string | undefined, port: number): string[] {
  return (request ?? '').replaceAll(String(port), 'PORT').split('\r\n');
}

describe('a call', () => {
  it('is sent as Go writes it', async () => {
    const { port, requests } = await answering(ok('{"ok":true}', 'Content-Type: application/json'));
    const { ca } = await certificates();
    const given = await createTransport().callWebhook(call(port, { caBundle: ca, body: '{"kind":"AdmissionReview"}\n' }));
    expect(given).toEqual({
      outcome: 'answered',
      statusCode: 200,
      headers: [
        ['content-type', 'application/json'],
        ['content-length', '11'],
      ],
      body: Buffer.from('{"ok":true}'),
      durationMs: expect.any(Number),
      auditAnnotations: {},
    });
    expect(lines(requests[0], port)).toEqual([
      'POST /validate?timeout=10s HTTP/1.1',
      'Host: 127.0.0.1:PORT',
      'User-Agent: kube-apiserver-admission',
      'Content-Length: 27',
      'Accept: application/json, */*',
      'Content-Type: application/json',
      'Accept-Encoding: gzip',
      '',
      '{"kind":"AdmissionReview"}\n',
    ]);
  });

  it('carries a token and more headers, in Go’s order', async () => {
    const { port, requests } = await answering(ok('{}'));
    const headers = [['x-team', 'café'] as const, ['user-agent', 'mine'] as const, ['X-Team', 'two'] as const];
    expect(await answerOf(port, {}, { bearerToken: 'secret', headers })).toBe('200 {}');
    expect(lines(requests[0], port).slice(1, -2)).toEqual([
      'Host: 127.0.0.1:PORT',
      'User-Agent: mine',
      'Content-Length: 2',
      'Accept: application/json, */*',
      'Authorization: Bearer secret',
      'Content-Type: application/json',
      'X-Team: two',
      'Accept-Encoding: gzip',
    ]);
    expect(await answerOf(port, {}, { bearerToken: 'a\nb' })).toBe(`${post}net/http: invalid header field value for "Authorization"`);
  });

  it('connects to the address that a name is resolved to', async () => {
    const { port, requests } = await answering(ok('{}'));
    const url = `https://hook.team.svc:${port}/validate`;
    const address = { host: 'hook.team.svc', port };
    const resolve = [
      { host: 'other', port: 1, address: '10.0.0.1' },
      { host: 'hook.team.svc', port, address: '127.0.0.1' },
    ];
    expect(await answerOf(port, { url, address, serverName: 'hook.team.svc' }, { resolve })).toBe('200 {}');
    expect(lines(requests[0], port)[1]).toBe('Host: hook.team.svc:PORT');
  });

  it('works without TLS only if that is allowed', async () => {
    const port = await listen(onRequest(socket => socket.write(ok('{}'))));
    const url = 'http://127.0.0.1:PORT/validate';
    expect(await answerOf(port, { url }, { allowHttp: true })).toBe('200 {}');
    expect(await answerOf(port, { url })).toBe(
      'Post "http://127.0.0.1:PORT/validate": plain HTTP: a cluster calls webhooks over https only',
    );
  });

  it.each([
    ['', 'unable to load root certificates: unable to parse bytes as PEM block'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /^unable to load root certificates: failed to parse certificate: x509: /,
    ],
  ])('fails with the unusable caBundle %j', async (pem, expected) => {
    const given = await createTransport().callWebhook(call(1, { caBundle: pem === '' ? 'no PEM' : pem }));
    expect(given).toEqual({ outcome: 'noClient', message: expect.stringMatching(expected) });
  });

  it('to a server with a deprecated certificate adds an audit annotation', async () => {
    const sha1 = makeCertificate({ isAuthority: true, subject: 'old' });
    const leaf = makeCertificate({ issuer: sha1, dns: ['localhost'], hash: 'sha1' });
    const port = await listenTls(() => undefined, { cert: leaf.pem, key: leaf.keyPem, ciphers: 'DEFAULT@SECLEVEL=0' });
    const now = () => new Date('2026-06-01T12:00:00Z');
    const given = await createTransport({ now }).callWebhook(
      call(port, { url: 'https://localhost:PORT/', address: { host: '127.0.0.1', port }, caBundle: sha1.pem }),
    );
    expect(given).toMatchObject({
      outcome: 'failed',
      class: 'tls',
      message: expect.stringContaining('insecure algorithm ECDSA-SHA1'),
      auditAnnotations: { 'insecure-sha1.invalid-cert.kubernetes.io/localhost': 'uses an insecure SHA-1 signature' },
    });
  });
});

describe('a webhook that cannot be reached', () => {
  it.each([
    ['https://127.0.0.1:PORT/', 'dial tcp 127.0.0.1:PORT: connect: connection refused'],
    ['https://[::ffff:127.0.0.1]:PORT/', 'dial tcp 127.0.0.1:PORT: connect: connection refused'],
    [`https://${'a'.repeat(64)}.test/`, `dial tcp: lookup ${'a'.repeat(64)}.test: no such host`],
    ['https://a..b/', 'dial tcp: lookup a..b: no such host'],
    ['https://127.0.0.1:0/', 'dial tcp 127.0.0.1:0: connect: connection refused'],
  ])('reports %s with the message of Go', async (template, expected) => {
    // Bound and closed, so nothing listens there.
    const server = createServer();
    const port = await started(server);
    server.close();
    const url = template.replace('PORT', String(port));
    const { hostname, port: own } = new URL(url.replace('a..b', 'x'));
    const host = url.includes('a..b') ? 'a..b' : hostname.replace(/^\[(.*)\]$/, '$1');
    const given = await answerOf(port, { url: 'https://x/', address: { host, port: own === '' ? 443 : Number(own) } });
    expect(given).toBe(`Post "https://x/": ${expected}`);
  });

  it('because of its port fails with the error of Go', async () => {
    expect(await answerOf(1, { address: { host: '127.0.0.1', port: 99_999 } })).toContain('dial tcp: address 99999: invalid port');
  });
});

describe('the deadline', () => {
  it('is checked before anything is sent', async () => {
    expect(await answerOf(1, { deadlineMs: 0 })).toBe('context deadline exceeded');
  });

  it.each([
    ['the handshake', (): Promise<number> => listen(() => undefined), `${post}context deadline exceeded`],
    ['the head', (): Promise<number> => listenTls(() => undefined), `${post}context deadline exceeded`],
    [
      'a head that drips',
      (): Promise<number> =>
        listenTls(
          onRequest(socket => {
            const timer = setInterval(() => socket.write('H'), 20);
            socket.on('close', () => clearInterval(timer));
          }),
        ),
      `${post}context deadline exceeded`,
    ],
    [
      'the body',
      (): Promise<number> => listenTls(onRequest(socket => socket.write('HTTP/1.1 200 OK\r\n\r\npart'))),
      'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
    ],
  ])('increments the value in %s', async (_, start, expected) => {
    const port = await start();
    const { ca } = await certificates();
    const given = await createTransport().callWebhook(call(port, { caBundle: ca, deadlineMs: 400 }));
    expect([textOf(given, port), given.outcome === 'failed' && given.class]).toEqual([expected, 'time']);
    expect('durationMs' in given && given.durationMs).toBeGreaterThanOrEqual(395);
    expect('durationMs' in given && given.durationMs).toBeLessThan(4_000);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303])('with %d is followed by a GET without the body', async status => {
    const { port, requests, connections } = await answering(answer(status, 'Location: other?x=1#frag'), ok('{}'));
    expect(await answerOf(port, {}, { bearerToken: 'secret' })).toBe('200 {}');
    expect(lines(requests[1], port)).toEqual([
      'GET /other?x=1 HTTP/1.1',
      'Host: 127.0.0.1:PORT',
      'User-Agent: kube-apiserver-admission',
      'Accept: application/json, */*',
      'Authorization: Bearer secret',
      'Referer: https://127.0.0.1:PORT/validate?timeout=10s',
      'Accept-Encoding: gzip',
      '',
      '',
    ]);
    expect(connections()).toBe(1);
  });

  it.each([307, 308])('with %d is followed by the same request', async status => {
    const { port, requests } = await answering(answer(status, 'Location: /other'), ok('{}'));
    expect(await answerOf(port)).toBe('200 {}');
    expect([lines(requests[1], port)[0], lines(requests[1], port).at(-1)]).toEqual(['POST /other HTTP/1.1', '{}']);
  });

  it('sends no credentials to another server', async () => {
    const other = await answering(ok('{}'));
    const { port } = await answering(answer(307, `Location: https://127.0.0.1:${other.port}/x`));
    expect(await answerOf(port, {}, { bearerToken: 'secret' })).toBe('200 {}');
    expect(other.requests[0]).toContain('POST /x');
    expect(other.requests[0]).not.toContain('secret');
  });

  it.each([
    ['Location: https://[bad', `${post}failed to parse Location header "https://[bad": parse "https://[bad": missing ']' in host`],
    ['Location: ftp://127.0.0.1/x', 'Post "ftp://127.0.0.1/x": unsupported protocol scheme "ftp"'],
    ['Location: https://', 'Post "https:": http: no Host in request URL'],
    ['Location: /loop', 'Post "/loop": stopped after 10 redirects'],
    ['X: y', '307 text'],
  ])('with %s ends', async (field, expected) => {
    const { port } = await answering(answer(307, field));
    expect(await answerOf(port)).toBe(expected);
  });
});

describe('Retry-After', () => {
  it.each(['0', '-1', '+0', '00'])('of %s has the call repeated at once', async value => {
    const { port, requests, connections } = await answering(
      answer(503, `Retry-After: ${value}`),
      answer(429, `Retry-After: ${value}`),
      ok('{}'),
    );
    expect(await answerOf(port)).toBe('200 {}');
    expect([requests.length, connections(), new Set(requests).size]).toEqual([3, 1, 1]);
  });

  it('is followed ten times', async () => {
    const { port, requests } = await answering(answer(500, 'Retry-After: 0'));
    expect(await answerOf(port)).toBe('500 text');
    expect(requests).toHaveLength(11);
  });

  it.each(['Wed, 21 Oct 2099 07:28:00 GMT', '0.5', '', '99999999999999999999'])('of %j is not obeyed', async value => {
    const { port, requests } = await answering(answer(503, `Retry-After: ${value}`), ok('{}'));
    expect(await answerOf(port)).toBe('503 text');
    expect(requests).toHaveLength(1);
  });

  it('is for 429 and 5xx only', async () => {
    const { port } = await answering(answer(404, 'Retry-After: 0'), ok('{}'));
    expect(await answerOf(port)).toBe('404 text');
  });

  it('does not wait after the deadline', async () => {
    const { port } = await answering(answer(503, 'Retry-After: 3600'));
    expect(await answerOf(port, { deadlineMs: 60 })).toBe(`${post}context deadline exceeded`);
  });
});

describe('a clock change during a call', () => {
  afterEach(() => vi.useRealTimers());

  it.each([-3_600_000, 3_600_000])('by %d ms changes neither the deadline nor the duration', async jump => {
    const port = await listenTls(
      onRequest(socket => {
        vi.setSystemTime(Date.now() + jump);
        socket.write(ok('{}'));
      }),
    );
    const { ca } = await certificates();
    vi.useFakeTimers({ toFake: ['Date'] });
    const answer = await createTransport().callWebhook(call(port, { caBundle: ca, deadlineMs: 30_000 }));
    expect(textOf(answer, port)).toBe('200 {}');
    expect(answer).toMatchObject({ durationMs: expect.toSatisfy((ms: number) => ms >= 0 && ms < 30_000) });
  });
});

describe('connections', () => {
  it('serve one call, unless they are kept', async () => {
    const { port, connections } = await answering(ok('{}'));
    const { ca } = await certificates();
    const oneByOne = createTransport();
    for (let nth = 0; nth < 2; nth += 1) await oneByOne.callWebhook(call(port, { caBundle: ca }));
    expect(connections()).toBe(2);
    const keeping = createTransport({ keepConnections: true });
    for (let nth = 0; nth < 3; nth += 1) await keeping.callWebhook(call(port, { caBundle: ca }));
    expect(connections()).toBe(3);
    await keeping.close();
  });

  it('are not used if the server has closed them', async () => {
    const port = await listenTls(onRequest(socket => socket.end(ok('{}'))));
    const { ca } = await certificates();
    const transport = createTransport({ keepConnections: true });
    for (let nth = 0; nth < 3; nth += 1) expect(textOf(await transport.callWebhook(call(port, { caBundle: ca })), port)).toBe('200 {}');
    await transport.close();
  });

  it('of concurrent calls do not mix answers', async () => {
    const port = await listenTls(
      onRequest((socket, request) => {
        const body = request.slice(request.indexOf('\r\n\r\n') + 4);
        setTimeout(() => socket.write(ok(body)), Number(body) % 7);
      }),
    );
    const { ca } = await certificates();
    const transport = createTransport({ keepConnections: true });
    const bodies = Array.from({ length: 40 }, (_, nth) => String(nth));
    const given = await Promise.all(bodies.map(body => transport.callWebhook(call(port, { caBundle: ca, body }))));
    expect(given.map(each => textOf(each, port))).toEqual(bodies.map(body => `200 ${body}`));
    await transport.close();
  });
});
