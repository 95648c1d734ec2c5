import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createMessageReader, type HttpMessage, type MessageOptions } from '../../src/proxy/http-messages.js';
import { recordingOf } from '../../src/proxy/recording-of.js';

const request = 'POST /mutate?timeout=10s HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 5\r\n\r\nhello';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';

function messagesIn(parts: readonly string[], type: MessageOptions['type'], options: Partial<MessageOptions> = {}): HttpMessage[] {
  const messages: HttpMessage[] = [];
  const reader = createMessageReader({ type, onMessage: message => messages.push(message), ...options });
  for (const part of parts) reader.push(Buffer.from(part, 'latin1'));
  reader.end();
  return messages;
}

const bodies = (messages: readonly HttpMessage[]): (string | undefined)[] => messages.map(({ body }) => body?.toString());

describe('messages of a connection', () => {
  it('are found wherever the bytes are split', () => {
    const text = request + request.replace('hello', 'world');
    for (let at = 0; at <= text.length; at += 1) {
      expect(bodies(messagesIn([text.slice(0, at), text.slice(at)], 'request'))).toEqual(['hello', 'world']);
    }
    expect(bodies(messagesIn([...chunked], 'response'))).toEqual(['abcde']);
  });

  it('keep names, values and order of headers', () => {
    const [message] = messagesIn([request], 'request');
    expect(message?.start).toBe('POST /mutate?timeout=10s HTTP/1.1');
    expect(message?.headers).toEqual([
      ['Host', 'a'],
      ['X-A', '1'],
      ['X-A', '2'],
      ['Content-Length', '5'],
    ]);
  });

  it('skip informational answers, and end without a length where the stream ends', () => {
    const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nuntil the end';
    expect(bodies(messagesIn([answer], 'response'))).toEqual(['until the end']);
  });

  it('have no body where HTTP requires none', () => {
    expect(bodies(messagesIn(['HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'], 'response'))).toEqual(['']);
    const head = messagesIn(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'], 'response', { isBodiless: () => true });
    expect(bodies(head)).toEqual(['']);
  });

  it.each([
    ['no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n'],
    ['an invalid length', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n'],
    ['an invalid chunk', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('end with %s, without an error', (_, text) => {
    expect(messagesIn([text, request], 'request')).toEqual([]);
  });

  it('are unpacked for the recording; what is not text is redacted as a whole', () => {
    const answered = (body: Buffer, headers: [string, string][]): string | undefined =>
      recordingOf({
        request: { start: 'POST / HTTP/1.1', headers: [], body: Buffer.from('{}') },
        answer: { start: 'HTTP/1.1 200 OK', headers, body },
        at: new Date(0),
        durationMs: 1,
        faults: [],
      })?.answer.body;
    expect(answered(gzipSync('zipped'), [['Content-Encoding', 'gzip']])).toBe('zipped');
    expect(answered(Buffer.from([0x6b, 0x38, 0x73, 0, 0xff]), [])).toMatch(/^<redacted sha256:[0-9a-f]{8}>$/);
    expect(answered(Buffer.from('\ufffd'), [])).toBe('\ufffd');
  });
});
