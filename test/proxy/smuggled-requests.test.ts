import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InMemoryCertificates, issueServingPair } from '../../src/certificates/issue.js';
import { faultChooser } from '../../src/proxy/faults.js';
import { type RunningProxy, startProxy } from '../../src/proxy/start-proxy.js';
import { upstreamAt } from '../../src/proxy/upstream.js';

const hidden = 'POST /hidden HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
const head = (...lines: readonly string[]): string => `${['POST /seen HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const inChunk = `${chunk(hidden)}0\r\n\r\n`;
const afterEnd = `0\r\n\r\n${hidden}`;
const length = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}`;

/** Requests of which one server sees one, and another one two. */
const smuggled: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks, whose end is before that', head(length(afterEnd), 'Transfer-Encoding: chunked') + afterEnd],
  ['chunks and a length, whose end is before that', head('Transfer-Encoding: chunked', 'Content-Length: 4') + inChunk],
  ['two lengths, the first one shorter', head('Content-Length: 0', length(hidden)) + hidden],
  ['two lengths, the first one longer', head(length(hidden), 'Content-Length: 0') + hidden],
  ['a length of two numbers', head(`Content-Length: 0, ${hidden.length}`) + hidden],
  ['a length with a sign', head(`Content-Length: +${hidden.length}`) + hidden],
  ['a length in hexadecimal', head('Content-Length: 0x10') + hidden],
  ['a space before the colon of the encoding', head(length(afterEnd), 'Transfer-Encoding : chunked') + afterEnd],
  ['a space before the colon of the length', head(`Content-Length : ${hidden.length}`) + hidden],
  ['a folded encoding', head(length(afterEnd), 'Transfer-Encoding:\r\n chunked') + afterEnd],
  ['an encoding in a folded line', head(length(afterEnd), 'X: a\r\n Transfer-Encoding: chunked') + afterEnd],
  ['a bare LF in a header', head(length(afterEnd), 'X: a\nTransfer-Encoding: chunked') + afterEnd],
  ['a bare CR in a header', head(length(afterEnd), 'X: a\rTransfer-Encoding: chunked') + afterEnd],
  ['a NUL in the name', head(length(afterEnd), 'Transfer-Encoding\0: chunked') + afterEnd],
  ['a vertical tab before the encoding', head(length(afterEnd), 'Transfer-Encoding: \u000bchunked') + afterEnd],
  ['two encodings', head(length(afterEnd), 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + afterEnd],
  ['an encoding of two', head(length(afterEnd), 'Transfer-Encoding: identity, chunked') + afterEnd],
  ['an unknown encoding', head(length(afterEnd), 'Transfer-Encoding: x-chunked') + afterEnd],
  ['chunks in HTTP/1.0', head(length(afterEnd), 'Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0') + afterEnd],
  ['a chunk whose line ends with LF', `${head('Transfer-Encoding: chunked')}2;\n0\r\n\r\n${hidden}`],
  ['a chunk with a sign', `${head('Transfer-Encoding: chunked')}+2\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['a chunk of 2^64 bytes', `${head('Transfer-Encoding: chunked')}10000000000000002\r\n{}\r\n0\r\n\r\n${hidden}`],
  ['no host and a bare LF at the end', `POST /seen HTTP/1.1\n\n${hidden}`],
];

let pair: InMemoryCertificates;
let webhook: Server;
let proxy: RunningProxy;
let reached: string[];
let seen: string[];

/** A webhook that takes whatever can be understood somehow. */
beforeEach(async () => {
  pair = await issueServingPair({ dns: [], ips: [] }, new Date());
  reached = [];
  seen = [];
  webhook = createServer({ cert: pair.cert, key: pair.key, insecureHTTPParser: true, requireHostHeader: false }, (request, response) => {
    reached.push(request.url ?? '');
    request.resume().on('end', () => response.end('{}'));
  });
  webhook.on('clientError', (_, socket) => socket.destroy());
  webhook.listen(0, '127.0.0.1');
  await once(webhook, 'listening');
});

afterEach(async () => {
  await proxy.close();
  webhook.closeAllConnections();
  webhook.close();
});

/** Sends bytes through a proxy, and returns what comes back until the connection is closed, or when nothing more comes for a while. */
async function sent(bytes: string, { isGated, isAnswered }: { readonly isGated: boolean; readonly isAnswered: boolean }): Promise<string> {
  proxy = await startProxy({
    upstream: upstreamAt(new URL(`https://127.0.0.1:${(webhook.address() as AddressInfo).port}`), Buffer.from(pair.ca)),
    ...{ cert: pair.cert, key: pair.key, host: '127.0.0.1', port: 0 },
    choose: isGated ? faultChooser([], { random: () => 0.5, isMatch: () => false }) : undefined,
    onExchange: ({ request }) => seen.push(request.start.split(' ')[1] ?? ''),
    onUnreachable: sentence => sentence,
    now: () => new Date(),
    elapsedMs: () => 0,
  });
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(proxy.origin).port), ca: pair.ca, ALPNProtocols: ['http/1.1'] });
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', part => {
      text += part;
    });
  socket.setTimeout(300, () => {
    if (text !== '' || !isAnswered) socket.end();
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return text;
}

describe('requests of which servers see different numbers', { timeout: 20_000 }, () => {
  it.each(smuggled)('do not reach a webhook past the faults of a proxy: %s', async (_, bytes) => {
    // No client waits for an answer that does not come.
    const isAnswered = !bytes.includes('HTTP/1.1\n');
    const answer = await sent(bytes, { isGated: true, isAnswered });
    // Each request that reaches the webhook was one of which a fault could have been made.
    expect(reached).toEqual(seen.slice(0, reached.length));
    if (isAnswered) expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|502) /);
  });

  it.each(smuggled)('are not recorded as others than the webhook sees: %s', async (_, bytes) => {
    await sent(bytes, { isGated: false, isAnswered: false });
    expect(seen.filter(path => !reached.includes(path))).toEqual([]);
    if (reached.includes('/hidden')) expect(seen.includes('/hidden') || seen.length === 0).toBe(true);
  });

  it.each([true, false])('leave clear ones alone (with faults: %s)', async isGated => {
    const answer = await sent(`${head('Transfer-Encoding: chunked')}${chunk('{}')}0\r\n\r\n${hidden}`, { isGated, isAnswered: true });
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect([reached, seen]).toEqual([
      ['/seen', '/hidden'],
      ['/seen', '/hidden'],
    ]);
  });
});
