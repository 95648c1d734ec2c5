import { once } from 'node:events';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { readScript } from '../../../src/webhook-server/script/read-script.js';
import { type ScriptedEndpoint, startScriptedEndpoint } from '../../../src/webhook-server/script/scripted-endpoint.js';
import { profileNamed } from '../../support/certificate-profiles.js';

const open: ScriptedEndpoint[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(endpoint => endpoint.close()));
});

/** Starts the endpoint of a JSON script. */
async function start(script: string, certificate = 'valid'): Promise<ScriptedEndpoint> {
  const endpoint = await startScriptedEndpoint(
    readScript(readUnstructured(script)),
    certificate === '' ? undefined : profileNamed(certificate),
  );
  open.push(endpoint);
  return endpoint;
}

/** Posts a review; returns the answer, or the error's code. */
async function post({ port }: ScriptedEndpoint, path = '/validate') {
  const body = '{"apiVersion":"admission.k8s.io/v1","request":{"uid":"ab"}}';
  const sent = request({ port, path, method: 'POST', host: '127.0.0.1', ca: profileNamed('valid').bundle, agent: false });
  sent.end(body);
  try {
    const [answer] = await once(sent, 'response');
    const chunks: Buffer[] = await answer.toArray();
    return { status: answer.statusCode, headers: answer.rawHeaders, body: Buffer.concat(chunks) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Returns the bytes that a plain client receives, and how the connection ends. */
async function talk(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', chunk => {
    received += chunk.toString('latin1');
  });
  return new Promise(resolve => {
    socket.once('error', error => resolve(received + (error as NodeJS.ErrnoException).code));
    socket.once('end', () => resolve(`${received}end`));
  });
}

describe('a scripted endpoint', () => {
  it('allows requests that the script does not cover, and records all requests', async () => {
    const endpoint = await start('{}');
    const answer = await post(endpoint, '/m?timeout=1s');
    expect(String((answer as { body: Buffer }).body)).toBe(
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"ab","allowed":true}}',
    );
    expect(endpoint.calls.map(({ method, path, body }) => [method, path, String(body)])).toEqual([
      ['POST', '/m?timeout=1s', '{"apiVersion":"admission.k8s.io/v1","request":{"uid":"ab"}}'],
    ]);
  });

  it('answers by path, in sequence, with unchanged headers', async () => {
    const endpoint = await start(`{
      "path": "/own",
      "endpoint": {"kind": "http", "status": 418, "headers": {"X-A": ["1", "2"]}, "body": "own {{uid}} {{UID}}"},
      "routes": {"/turns": {"kind": "sequence", "answers": [{"kind": "http", "body": "first"}, {"kind": "http", "body": "then"}]}}
    }`);
    const own = await post(endpoint, '/own');
    expect(own).toMatchObject({ status: 418, headers: ['X-A', '1', 'X-A', '2', 'Content-Length', '9'] });
    const bodies = [];
    for (let i = 0; i < 3; i += 1) bodies.push(String(((await post(endpoint, '/turns')) as { body: Buffer }).body));
    expect(bodies).toEqual(['first', 'then', 'then']);
  });

  it('builds bodies from parts', async () => {
    const parts = '[{"repeat":"x","times":3},{"base64":"/w=="},{"base64Of":"{{uid}}"},{"gzipOf":["a","b"]}]';
    const { body } = (await post(await start(`{"kind":"http","chunked":true,"body":${parts}}`))) as { body: Buffer };
    expect(body.subarray(0, 8).toString('latin1')).toBe('xxx\xffYWI=');
    expect(String(gunzipSync(body.subarray(8)))).toBe('ab');
  });

  it.each([
    ['a body of more than 64 MiB', `POST / HTTP/1.1\r\nContent-Length: ${64 * 1024 * 1024 + 1}\r\n\r\n`],
    ['a length below zero', 'POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\nbody'],
    ['a length that is not a number', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\nbody'],
    ['chunks of more than 64 MiB', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n4000000\r\n'],
    ['a chunk below zero', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n'],
    ['a line of more than 1 MiB', `POST /${'a'.repeat(1024 * 1024 + 1)}`],
    ['headers of more than 1 MiB', `POST / HTTP/1.1\r\n${`A: ${'a'.repeat(100_000)}\r\n`.repeat(11)}`],
  ])('closes the connection at %s', async (_, bytes) => {
    const endpoint = await start('{}', '');
    const socket = connect(endpoint.port, '127.0.0.1');
    const end = talk(socket);
    socket.write(bytes);
    expect(await end).toMatch(/^(?:end|ECONNRESET)$/);
    expect(endpoint.calls).toEqual([]);
  });

  it('reads of a client that sends more than it waits for no more than a few buffers', async () => {
    const endpoint = await start('{"kind": "http", "delayMs": 60000}', '');
    const socket = connect(endpoint.port, '127.0.0.1').on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\n\r\n');
    let sent = 0;
    const part = Buffer.alloc(1024 * 1024);
    const send = (): void =>
      void socket.write(part, error => {
        if (error) return;
        sent += 1;
        if (sent < 100) send();
      });
    send();
    let before = -1;
    const isStill = (): boolean => {
      const still = sent === before;
      before = sent;
      return still;
    };
    await expect.poll(isStill, { interval: 500, timeout: 20_000 }).toBe(true);
    expect(sent).toBeLessThan(50);
    socket.destroy();
  });

  it('keeps no requests where nobody asks for them', async () => {
    const endpoint = await startScriptedEndpoint({}, profileNamed('valid'), { host: '127.0.0.1', port: 0, forgetsCalls: true });
    open.push(endpoint);
    expect(await post(endpoint)).toMatchObject({ status: 200 });
    expect(endpoint.calls).toEqual([]);
  });

  it('sends raw bytes and ends the connection in any way', async () => {
    const closed = await start('{"kind":"raw","bytes":"HTTP/1.1 200 OK\\r\\n\\r\\nhalf","then":"close"}');
    expect(String(((await post(closed)) as { body: Buffer }).body)).toBe('half');
    expect(await post(await start('{"kind":"raw","bytes":"","then":"reset"}'))).toBe('ECONNRESET');
    expect(await post(await start('{"kind":"raw","bytes":"no HTTP\\r\\n\\r\\n"}'))).toMatch(/^HPE_/);
  });

  it('waits for the delay, and not when it is closed', async () => {
    const endpoint = await start('{"kind":"http","delayMs":60000}');
    const answer = post(endpoint);
    while (endpoint.calls.length === 0) await new Promise(resolve => setImmediate(resolve));
    await endpoint.close();
    expect(await answer).toBe('ECONNRESET');
  });

  it('sends plain text below TLS', async () => {
    const bytes = `"bytesBase64":"${Buffer.from('SSH-2.0\r\n').toString('base64')}"`;
    const greeting = await start(`{"kind":"connection","read":"nothing",${bytes},"then":"close"}`);
    expect(await talk(connect(greeting.port, '127.0.0.1'))).toBe('SSH-2.0\r\nend');
    expect(await post(await start(`{"kind":"connection","read":"client-hello",${bytes},"then":"close"}`))).toBe('EPROTO');
    expect(await post(await start('{"kind":"connection","read":"client-hello","then":"reset"}'))).toBe('ECONNRESET');
  });

  it('refuses connections', async () => {
    expect(await post(await start('{"kind":"refuse"}'))).toBe('ECONNREFUSED');
  });

  it('speaks plain HTTP without a certificate', async () => {
    const client = connect((await start('{"kind":"http","body":"hello","then":"close"}', '')).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\n\r\n');
    expect(await talk(client)).toBe('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloend');
  });

  it('presents the given certificate, and requests one from clients if required', async () => {
    expect(await post(await start('{}', 'expired'))).toBe('CERT_HAS_EXPIRED');
    expect(await post(await start('{}', 'client-certificate-tls12'))).toBe('EPROTO');
  });
});

describe('a script', () => {
  it.each([
    ['[]', 'script: must be an object'],
    ['{"endpoints":{}}', 'script: unknown member "endpoints"; use one of endpoint, path, routes'],
    ['{"endpoint":{"kind":"htp"}}', 'endpoint.kind: must be one of http, raw'],
    [
      '{"routes":{"/a":{"kind":"sequence","answers":[{"kind":"http","status":"1"}]}}}',
      'routes[/a].answers[0].status: must be a non-negative integer',
    ],
    ['{"kind":"raw","then":"go"}', 'script.then: must be one of close, abort, reset, hang, half-close, keep'],
    ['{"kind":"http","body":[{"repeat":"x"}]}', 'script.body[0].times: must be a non-negative integer'],
    ['{"kind":"http","headers":{"A":[1]}}', 'script.headers[A][0]: must be a string'],
  ])('rejects an invalid script, with the position: %s', (text, message) => {
    expect(() => readScript(readUnstructured(text))).toThrow(message);
  });
});
