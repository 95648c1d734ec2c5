/** Bytes that a client sends, over TLS with this protocol if the server has it. */
export interface HostileRequest {
  readonly what: string;
  readonly bytes: Buffer;
  /** `raw`: without TLS, also to a server with it. */
  readonly protocol: 'http/1.1' | 'h2' | 'raw';
  /** How the client leaves. */
  readonly end?: 'fin' | 'reset';
}

const review = JSON.stringify({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: { uid: 'u', kind: { group: '', version: 'v1', kind: 'Pod' }, operation: 'CREATE', object: { metadata: { name: 'a' } } },
});
const pods = '/api/v1/namespaces/default/configmaps';

const message = (line: string, headers: readonly string[] = [], body: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(`${[line, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
const posted = (body: string | Buffer, ...headers: readonly string[]): Buffer =>
  message('POST /?timeout=1s HTTP/1.1', ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);
const created = (type: string, body: Buffer): Buffer =>
  message(`POST ${pods} HTTP/1.1`, [`Content-Type: ${type}`, `Content-Length: ${body.length}`], body);

const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const preface = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0, Buffer.alloc(0))]);
/** GET / of https://127.0.0.1 */
const head = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, 9]), Buffer.from('127.0.0.1')]);
const times = (count: number, make: (i: number) => Buffer): Buffer => Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** A literal header without indexing, and one that is indexed. */
const literal = Buffer.concat([Buffer.from([0, 1, 0x78, 0x7f, 0xe9, 0x07]), Buffer.alloc(1128, 0x61)]);
const indexed = Buffer.concat([Buffer.from([0x40, 1, 0x78, 0x7f, 0xe1, 0x1e]), Buffer.alloc(4000, 0x61)]);

const http1: readonly (readonly [what: string, bytes: Buffer, end?: HostileRequest['end']])[] = [
  ['a path of 300 bytes', message(`GET /${'a'.repeat(300)} HTTP/1.1`)],
  ['a path of a megabyte', message(`GET /${'a'.repeat(1 << 20)} HTTP/1.1`)],
  ['an escaped NUL', message('GET /%00/%00.js HTTP/1.1')],
  ['an escape that ends too early', message('GET /%/%e0%a4 HTTP/1.1')],
  ['parents of the folder', message('GET /../../../../etc/passwd HTTP/1.1')],
  ['escaped parents', message('GET /data/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1')],
  ['an empty authority', message('GET //evil.example HTTP/1.1')],
  ['another host in the line', message('GET http://evil.example/ HTTP/1.1')],
  ['an asterisk', message('OPTIONS * HTTP/1.1')],
  ['CONNECT', message('CONNECT evil.example:443 HTTP/1.1')],
  ['TRACE', message('TRACE / HTTP/1.1')],
  ['an unknown method', message('FOO / HTTP/1.1')],
  ['HTTP/0.9', Buffer.from('GET /\r\n')],
  ['HTTP/1.0 without a host', Buffer.from('GET / HTTP/1.0\r\n\r\n')],
  ['HTTP/9.9', message('GET / HTTP/9.9')],
  ['no host', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['two hosts', message('GET / HTTP/1.1', ['Host: evil.example'])],
  ['a header of 17,000 bytes', message('GET / HTTP/1.1', [`X: ${'a'.repeat(17_000)}`])],
  ['a header of two megabytes', message('GET / HTTP/1.1', [`X: ${'a'.repeat(2 << 20)}`])],
  [
    '5,000 headers',
    message(
      'GET / HTTP/1.1',
      Array.from({ length: 5000 }, (_, i) => `X${i}: a`),
    ),
  ],
  [
    'headers that are members of objects',
    message('GET / HTTP/1.1', ['__proto__: a', 'constructor: b', 'toString: c', 'hasOwnProperty: d']),
  ],
  ['a header without a colon', message('GET / HTTP/1.1', ['nothing'])],
  ['a NUL in a header', message('GET / HTTP/1.1', ['X: a\0b'])],
  ['a folded header', message('GET / HTTP/1.1', ['X: a\r\n b'])],
  ['a negative length', message('POST / HTTP/1.1', ['Content-Length: -1'], review)],
  ['two lengths', message('POST / HTTP/1.1', ['Content-Length: 3', 'Content-Length: 5'], 'abcde')],
  [
    'a length and chunks',
    message('POST / HTTP/1.1', ['Content-Length: 3', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET /b HTTP/1.1\r\n\r\n'),
  ],
  ['an unknown transfer encoding', message('POST / HTTP/1.1', ['Transfer-Encoding: xchunked'], '0\r\n\r\n')],
  ['a chunk of 2^63 bytes', message('POST / HTTP/1.1', ['Transfer-Encoding: chunked'], '7fffffffffffffff\r\nabc')],
  [
    'a chunk extension of a megabyte',
    message('POST / HTTP/1.1', ['Transfer-Encoding: chunked'], `3;${'a'.repeat(1 << 20)}\r\nabc\r\n0\r\n\r\n`),
  ],
  ['100,000 chunks of a byte', message('POST / HTTP/1.1', ['Transfer-Encoding: chunked'], `${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`)],
  ['a body that does not come', message('POST / HTTP/1.1', ['Content-Type: application/json', 'Content-Length: 10000000'], review), 'fin'],
  ['1,000 pipelined requests', times(1000, () => message('GET / HTTP/1.1'))],
  ['200 pipelined reviews', times(200, () => posted(review))],
  ['half a request', Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nConte'), 'fin'],
  ['a request, and a reset', posted(review), 'reset'],
  ['an expectation', message('POST / HTTP/1.1', ['Expect: 100-continue', 'Content-Length: 5'])],
  ['an unknown expectation', message('POST / HTTP/1.1', ['Expect: everything', 'Content-Length: 5'])],
  ['half a JSON', posted('{')],
  ['100,000 levels of JSON', posted('['.repeat(100_000))],
  [
    'a review whose keys are members of objects',
    posted('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"request":{"__proto__":{}}}'),
  ],
  [
    'a number of 100,000 digits',
    posted(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":${'9'.repeat(100_000)}}}`),
  ],
  ['no gzip in the body', posted(review, 'Content-Encoding: gzip')],
  ['a form', message('POST / HTTP/1.1', ['Content-Type: multipart/form-data; boundary=', 'Content-Length: 3'], 'abc')],
  ['ranges', message('GET / HTTP/1.1', [`Range: bytes=${'0-1,'.repeat(2000)}0-1`])],
  ['damaged Protobuf', created('application/vnd.kubernetes.protobuf', Buffer.from('6b387300ffffffffffffffffffff7f', 'hex'))],
  ['a CBOR list of 2^63 items', created('application/cbor', Buffer.from('d9d9f79b7fffffffffffffff', 'hex'))],
  ['10,000 levels of CBOR', created('application/cbor', Buffer.concat([Buffer.from('d9d9f7', 'hex'), Buffer.alloc(10_000, 0x81)]))],
  [
    'a WebSocket with a short key',
    message('GET / HTTP/1.1', ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: a', 'Sec-WebSocket-Version: 13']),
  ],
  [
    'a WebSocket frame of 2^63 bytes',
    message(
      `GET ${pods}?watch=1 HTTP/1.1`,
      ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
      Buffer.from('82ff7fffffffffffffff00000000', 'hex'),
    ),
  ],
  ['h2c', message('GET / HTTP/1.1', ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABkAAQAAP__'])],
  [
    'queries of all kinds',
    message(`GET ${pods}?limit=-1&watch=maybe&timeoutSeconds=1e9&continue=%ff&resourceVersion=__proto__&labelSelector=a%20in%20( HTTP/1.1`),
  ],
];

const http2: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['no frames', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  [
    '2,000 streams that are reset',
    Buffer.concat([preface, times(2000, i => Buffer.concat([frame(1, 5, 2 * i + 1, head), frame(3, 0, 2 * i + 1, u32(8))]))]),
  ],
  [
    '10,000 continuations without an end',
    Buffer.concat([preface, frame(1, 1, 1, head), times(10_000, () => frame(9, 0, 1, Buffer.alloc(16, 0x82)))]),
  ],
  ['1,000 continuations of headers', Buffer.concat([preface, frame(1, 1, 1, head), times(1000, () => frame(9, 0, 1, literal))])],
  ['10,000 empty continuations', Buffer.concat([preface, frame(1, 1, 1, head), times(10_000, () => frame(9, 0, 1, Buffer.alloc(0)))])],
  [
    'a header that the table repeats 16,000 times',
    Buffer.concat([preface, frame(1, 1, 1, Buffer.concat([head, indexed])), frame(9, 4, 1, Buffer.alloc(16_000, 0xbe))]),
  ],
  ['10,000 settings', Buffer.concat([preface, times(10_000, () => frame(4, 0, 0, Buffer.alloc(0)))])],
  ['10,000 pings', Buffer.concat([preface, times(10_000, () => frame(6, 0, 0, Buffer.alloc(8)))])],
  ['a window of zero', Buffer.concat([preface, frame(8, 0, 0, u32(0))])],
  ['a window that overflows', Buffer.concat([preface, frame(8, 0, 0, u32(0x7fffffff)), frame(8, 0, 0, u32(0x7fffffff))])],
  ['data of no stream', Buffer.concat([preface, frame(0, 0, 0, Buffer.alloc(10))])],
  ['10,000 empty data frames', Buffer.concat([preface, frame(1, 4, 1, head), times(10_000, () => frame(0, 0, 1, Buffer.alloc(0)))])],
  ['a stream that depends on itself', Buffer.concat([preface, frame(2, 0, 1, Buffer.concat([u32(1), Buffer.from([0])]))])],
  ['the end of the connection', Buffer.concat([preface, frame(7, 0, 0, Buffer.concat([u32(0), u32(11)]))])],
  ['500 streams without an end', Buffer.concat([preface, times(500, i => frame(1, 4, 2 * i + 1, head))])],
  ['a frame that is too long', Buffer.concat([preface, frame(0, 0, 1, Buffer.alloc(100_000))])],
];

/** What clients that mean harm, or are broken, send to a server. */
export const hostileRequests: readonly HostileRequest[] = [
  ...http1.map(([what, bytes, end]): HostileRequest => ({ what, bytes, protocol: 'http/1.1', ...(end === undefined ? {} : { end }) })),
  ...http2.map(([what, bytes]): HostileRequest => ({ what: `HTTP/2: ${what}`, bytes, protocol: 'h2' })),
  { what: 'nothing', bytes: Buffer.alloc(0), protocol: 'raw', end: 'fin' },
  { what: 'a reset', bytes: Buffer.alloc(0), protocol: 'raw', end: 'reset' },
  { what: 'half a ClientHello', bytes: Buffer.from('16030100f0010000ec0303', 'hex'), protocol: 'raw', end: 'fin' },
  { what: 'a request without TLS', bytes: message('GET / HTTP/1.1'), protocol: 'raw' },
  { what: '64 KiB of zeros', bytes: Buffer.alloc(65_536), protocol: 'raw' },
];
