import { afterAll, describe, expect, it } from 'vitest';
import { answerOf, closeServers, listen, ok, onRequest } from './loopback.js';

afterAll(closeServers);

/** Returns the result of a response that is sent in the clear and then ended: the reader is the same with TLS. */
async function read(bytes: string, then: 'end' | 'hang' = 'end', deadlineMs = 5_000): Promise<string> {
  const port = await listen(
    onRequest(socket => {
      socket.write(Buffer.from(bytes, 'latin1'));
      if (then === 'end') socket.end();
    }),
  );
  const text = await answerOf(port, { url: 'http://127.0.0.1:PORT/?timeout=10s', deadlineMs }, { allowHttp: true });
  return text
    .replace('Post "http://127.0.0.1:PORT/?timeout=10s": ', 'Post: ')
    .replace('net/http: HTTP/1.x transport connection broken: ', 'broken: ');
}

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const bodyError = 'unexpected error when reading response body. Please retry. Original error: ';

describe('the head of a response', () => {
  it.each([
    ['', 'Post: EOF'],
    ['\r\n\r\n', 'Post: broken: malformed HTTP response ""'],
    ['garb', 'Post: broken: malformed HTTP response "garb"'],
    ['HTTP/1.1', 'Post: broken: malformed HTTP response "HTTP/1.1"'],
    ['HTTP/1.1 20 OK\r\n\r\n', 'Post: broken: malformed HTTP status code "20"'],
    ['HTTP/1.1 -01 OK\r\n\r\n', 'Post: broken: malformed HTTP status code "-01"'],
    ['say "hi" \xc3\xa9\xff', 'Post: broken: malformed HTTP status code "\\"hi\\""'],
    ['\xc3\xa9\xff', 'Post: broken: malformed HTTP response "é\\xff"'],
    ['RTSP/1.0 200 OK\r\n\r\n', 'Post: broken: malformed HTTP version "RTSP/1.0"'],
    ['HTTP/1.1 200 OK\r\n', 'Post: broken: unexpected EOF'],
    ['HTTP/1.1 200 OK\r\nContent-Ty', 'Post: broken: malformed MIME header: missing colon: "Content-Ty"'],
    ['HTTP/1.1 200 OK\r\nContent-Type: appl', 'Post: broken: unexpected EOF'],
    ['HTTP/1.1 200 OK\r\n x: y\r\n\r\n', 'Post: broken: malformed MIME header initial line: " x: y"'],
    [`HTTP/1.1 200 OK\r\n ${'x'.repeat(80)}\r\n\r\n`, 'Post: broken: message too large'],
    ['HTTP/1.1 200 OK\r\n: y\r\n\r\n', 'Post: broken: malformed MIME header line: ": y"'],
    ['HTTP/1.1 200 OK\r\nA: b\x00c\r\n\r\n', 'Post: broken: malformed MIME header line: "A: b\\x00c"'],
    ['HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}', 'Post: broken: bad Content-Length "+2"'],
    ['HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n{}', 'Post: broken: invalid empty Content-Length ""'],
    [
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      'Post: broken: http: message cannot contain multiple Content-Length headers; got ["2" "3"]',
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'Post: broken: unsupported transfer encoding: "gzip, chunked"'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n',
      'Post: broken: too many transfer encodings: ["chunked" "chunked"]',
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: content-length\r\n\r\n', 'Post: broken: bad trailer key "Content-Length"'],
    ['HTTP/1.1 100 Continue\r\n\r\n', 'Post: broken: unexpected EOF'],
  ])('rejects %j with the message of Go', async (bytes, expected) => {
    expect(await read(bytes)).toBe(expected);
  });

  it.each([
    ['HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}', '200 {}'],
    ['HTTP/1.1  200 OK\nContent-Length: 2\n\n{}', '200 {}'],
    ['HTTP/2.0 099 Low\r\n\r\n{}', '99 {}'],
    ['HTTP/1.1 +20 x\r\nContent-Length: 0\r\n\r\n', '20 '],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}', '200 {}'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n', 'Post: broken: bad Content-Length "1 2"'],
    ['HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\n{}', '200 {}'],
    ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', '200 2\r\n{}\r\n0\r\n\r\n'],
    [`${'HTTP/1.1 103 Early\r\nLink: x\r\n\r\n'.repeat(20)}${ok('{}')}`, '200 {}'],
    ['HTTP/1.1 101 Switching\r\n\r\nrest', '101 '],
    ['HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nrest', '101 rest'],
    ['HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\n{}', '204 '],
    [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1 << 20)}\r\nContent-Length: 2\r\n\r\n{}`, '200 {}'],
  ])('accepts %.60j, as Go does', async (bytes, expected) => {
    expect(await read(bytes)).toBe(expected);
  });

  it('may be 10 MiB long, including informational ones', async () => {
    const exceeded = 'Post: broken: net/http: server response headers exceeded 10485760 bytes; aborted';
    const ending = '\r\nContent-Length: 0\r\n\r\n';
    const start = 'HTTP/1.1 200 OK\r\nX: ';
    const room = (10 << 20) - start.length - ending.length;
    expect(await read(start + 'x'.repeat(room) + ending)).toBe('200 ');
    expect(await read(start + 'x'.repeat(room + 1) + ending, 'hang')).toBe(exceeded);
    expect(await read(`HTTP/1.1 103 Early\r\n\r\n${start}${'x'.repeat(room)}${ending}`, 'hang')).toBe(exceeded);
  });
});

describe('a head with very many fields', () => {
  it('may have 65536 fields, which is a limit of this implementation', async () => {
    const fields = 'a:b\r\n'.repeat(65_536);
    expect(await read(`HTTP/1.1 200 OK\r\n${fields}\r\n{}`)).toBe('200 {}');
    expect(await read(`HTTP/1.1 200 OK\r\n${fields}c: d\r\n\r\n{}`)).toBe(
      'Post: response header has more than 65536 fields; kube-apiserver has no such limit',
    );
  });

  it('is folded into one field over any number of lines', async () => {
    expect(await read(`HTTP/1.1 200 OK\r\nContent-Length:\r\n${' \r\n'.repeat(5_000)}\t 2\r\n\r\n{}`)).toBe('200 {}');
  });

  it('is quoted whole', async () => {
    const line = '\xc3\xa9\xff"'.repeat(20_000);
    expect(await read(line)).toBe(`Post: broken: malformed HTTP response "${'é\\xff\\"'.repeat(20_000)}"`);
  });
});

describe('the body of a response', () => {
  it.each([
    ['HTTP/1.1 200 OK\r\n\r\nall of it', '200 all of it'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nand a tail', '200 and'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello', `${bodyError}unexpected EOF`],
    [`${chunked}5\r\nhello\r\n1;x=y \r\n!\r\n0\r\nA: b\r\n\r\n`, '200 hello!'],
    [`${chunked}${'1\r\nx\r\n'.repeat(3_000)}00A\r\n0123456789\r\n0\r\n\r\n`, `200 ${'x'.repeat(3_000)}0123456789`],
    [`${chunked}1\r\nx\r\n2\r\nyz\rn`, `${bodyError}malformed chunked encoding`],
    [`${chunked}1\r\nx\r\n2\r\nyz\r\n3\r\nab`, `${bodyError}unexpected EOF`],
    [`${chunked}1\r\nx\r\n0\r\nA: b\r\n\r\nmore`, '200 x'],
    // Small chunks may make up for extensions, as far as they go.
    [
      `${chunked}1;${'x'.repeat(3_000)}\r\nh\r\n${`${'1\r\nx\r\n'.repeat(200)}1;${'x'.repeat(3_000)}\r\nh\r\n`.repeat(8)}0\r\n\r\n`,
      `200 h${`${'x'.repeat(200)}h`.repeat(8)}`,
    ],
    [`${chunked}5\r\nhello\r\n`, `${bodyError}unexpected EOF`],
    [`${chunked}5\r\nhello\r\n0\r\n`, `${bodyError}http: unexpected EOF reading trailer`],
    [`${chunked}5\r\nhello\r\n0\r\nA: b\r\n`, `${bodyError}http: suspiciously long trailer after chunked body`],
    [`${chunked}5\r\nhello\r\n0\r\nbad\r\n\r\n`, `${bodyError}malformed MIME header: missing colon: "bad"`],
    [`${chunked}zz\r\n`, `${bodyError}invalid byte in chunk length`],
    [`${chunked}\r\n`, `${bodyError}empty hex number for chunk length`],
    [`${chunked}ffffffffffffffff0\r\n`, `${bodyError}http chunk length too large`],
    [`${chunked}5\r\nhelloworld`, `${bodyError}malformed chunked encoding`],
    [`${chunked}5\nhello`, `${bodyError}chunked line ends with bare LF`],
    [`${chunked}5\r\r\nhello`, `${bodyError}invalid CR in chunked line`],
    [`${chunked}5;${'x'.repeat(4_100)}\r\nhello`, `${bodyError}header line too long`],
    [`${chunked}${`1;${'x'.repeat(3_000)}\r\nh\r\n`.repeat(8)}0\r\n\r\n`, `${bodyError}chunked encoding contains too much non-data`],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip here', `${bodyError}gzip: invalid header`],
    ['HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nas it is', '200 as it is'],
  ])('reads %.70j as Go does', async (bytes, expected) => {
    expect(await read(bytes)).toBe(expected);
  });

  it('aborts a missing response at the deadline', async () => {
    expect(await read('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello', 'hang', 500)).toBe(`${bodyError}context deadline exceeded`);
    expect(await read(chunked, 'hang', 500)).toBe(`${bodyError}context deadline exceeded`);
    expect(await read('HTTP/1.1 200 OK\r\n', 'hang', 80)).toBe('Post: context deadline exceeded');
  });

  it('is read up to a limit of this implementation', async () => {
    const port = await listen(onRequest(socket => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2_000)}`)));
    const options = { allowHttp: true, maxResponseBytes: 1_999 };
    expect(await answerOf(port, { url: 'http://127.0.0.1:PORT/' }, options)).toBe(
      'response body is larger than 1999 bytes; kube-apiserver has no such limit',
    );
  });
});
