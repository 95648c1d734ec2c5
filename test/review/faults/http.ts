import { allowed, answer, broken, type Fault, malformed, raw, status, type Verdict, w1, w2 } from './fault.js';

const json = { 'Content-Type': 'application/json' };
const more = (code: number): string => w2(`the server responded with the status code ${code} but did not return more information`);
const server = (body: string): string => w2(`an error on the server ("${body}") has prevented the request from succeeding`);
const ok = 'HTTP/1.1 200 OK\r\n';
const length = `Content-Length: ${allowed.length - '{{uid}}'.length + 36 - '{{apiVersion}}'.length + 'admission.k8s.io/v1'.length}\r\n`;
const rest = `Content-Type: application/json\r\n${length}\r\n${allowed}`;

function http(row: string, script: unknown, message: string, verdict: Verdict = 'http'): Fault {
  return { row, script, verdict, message };
}

function good(row: string, script: unknown): Fault {
  return { row, script, verdict: 'allowed', message: '' };
}

function redirect(code: number, location: string): unknown {
  return { kind: 'http', status: code, headers: { Location: location } };
}

const seeOther = (code: number): unknown => ({ path: '/w', endpoint: redirect(code, '/else'), routes: { '/else': answer(allowed) } });
const chunked = (chunks: string): unknown => raw(`${ok}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
const gzipped = (body: unknown): unknown => answer(body, { headers: { ...json, 'Content-Encoding': 'gzip' } });

const statuses: readonly Fault[] = [
  ...[200, 201, 202, 203, 205, 206].map(code => good('C01', answer(allowed, { status: code }))),
  http(
    'C02',
    raw('HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n'),
    w2('0-length response with status code: 204 and content type: application/json'),
    'body',
  ),
  ...[207, 226, 299, 300, 304, 305, 306].map(code => http('C03', status(code), more(code))),
  http('C04', status(400), w2('the server rejected our request for an unknown reason')),
  http('C05', status(401), w2('the server has asked for the client to provide credentials')),
  http('C06', status(403, 'go away'), w2('go away')),
  http('C06', status(403, allowed, json), w2('unknown')),
  http('C07', status(404), w2('the server could not find the requested resource')),
  http('C08', status(405), w2('the server does not allow this method on the requested resource')),
  http('C09', status(406, 'no such type'), w2('no such type')),
  http('C09', status(406, '{}', json), w2('the server was unable to respond with a content type that the client supports')),
  http('C10', status(409), w2('the server reported a conflict')),
  http('C11', status(415, 'text'), w2('text')),
  http('C12', status(422), w2('the server rejected our request due to an error in our request')),
  ...[402, 407, 408, 410, 411, 412, 414, 417, 418, 421, 423, 424, 425, 426, 428, 431, 451, 499].map(code =>
    http('C13', status(code), more(code)),
  ),
  http('C14', status(429), w2('the server has received too many requests and has asked us to try again later')),
  ...[500, 501, 502, 505, 511, 599, 600, 999].map(code => http('C15', status(code, 'boom'), server('boom'))),
  http('C15', status(500, '{}', json), server('unknown')),
  http('C16', status(503, 'boom'), w2('the server is currently unable to handle the request')),
  http('C17', status(504), w2('the server was unable to return a response in the time allotted, but may still be processing the request')),
  http('C18', status(400, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"said so","code":400}', json), w2('said so')),
  http('C19', status(400, allowed, json), w2('the server rejected our request for an unknown reason')),
  http(
    'C20',
    answer('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"said so"}'),
    w2('converting (v1.Status) to (v1.AdmissionReview): unknown conversion'),
    'body',
  ),
  http('C21', status(503, '', { 'Retry-After': '0' }), w2('the server is currently unable to handle the request')),
  good('C21', { kind: 'sequence', answers: [status(429, '', { 'Retry-After': '0' }), answer(allowed)] }),
  http('C22', status(503, '', { 'Retry-After': '-1' }), w2('the server is currently unable to handle the request')),
  http(
    'C22',
    status(429, '', { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
    w2('the server has received too many requests and has asked us to try again later'),
  ),
  {
    row: 'C23',
    script: status(503, '', { 'Retry-After': '99999' }),
    verdict: 'time',
    message: w1('context deadline exceeded', { timeoutSeconds: 1 }),
    setting: { timeoutSeconds: 1 },
  },
  http('C63', raw('HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 0\r\n\r\n'), more(413)),
];

const redirects: readonly Fault[] = [
  ...[301, 302, 303].map(code =>
    http(
      'C24',
      { path: '/w', endpoint: redirect(code, '/else'), routes: { '/else': status(405) } },
      w2('the server does not allow this method on the requested resource'),
    ),
  ),
  ...[307, 308].map(code => good('C25', seeOther(code))),
  http('C26', status(301), more(301)),
  http(
    'C27',
    { routes: { '/w': redirect(307, '/w') } },
    w1('stopped after 10 redirects').replace('https://127.0.0.1:PORT/w?timeout=10s', '/w'),
  ),
  http('C28', redirect(307, 'file:///etc/passwd'), w2('Post "file:///etc/passwd": unsupported protocol scheme "file"')),
  http(
    'C29',
    redirect(307, 'https://[::1/x'),
    w1(`failed to parse Location header "https://[::1/x": parse "https://[::1/x": missing ']' in host`),
  ),
];

const wire: readonly Fault[] = [
  ...[1, 5].map(n => good('C30', raw(`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(n)}${ok}${rest}`))),
  good('C31', raw(`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)}${ok}${rest}`)),
  good('C32', raw(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}${rest}`)),
  http(
    'C33',
    raw(`HTTP/1.1 101 Switching Protocols\r\n\r\nrest`),
    w2('0-length response with status code: 101 and content type: application/json'),
  ),
  http('C34', raw('HTTP/1.1 100 Continue\r\n\r\n'), malformed('unexpected EOF')),
  http('C35', raw(''), w1('EOF'), 'tcp'),
  http('C36', raw(`${ok}Content-Type: a/b\r\nConte`), malformed('malformed MIME header: missing colon: "Conte"')),
  http('C37', raw(`${ok}Content-Length: 200\r\n\r\n{`), broken('unexpected EOF'), 'body'),
  http('C37', chunked('5\r\n{'), broken('unexpected EOF'), 'body'),
  http('C37', chunked('1\r\n{\r\n'), broken('unexpected EOF'), 'body'),
  http('C38', raw(`${ok}Content-Length: 200\r\n\r\n{`, 'abort'), broken('unexpected EOF'), 'body'),
  good('C39', raw(`${ok}${rest}rubbish`)),
  http('C40', chunked('zz\r\n{}\r\n0\r\n\r\n'), broken('invalid byte in chunk length'), 'body'),
  http('C40', chunked('11111111111111111\r\n{}'), broken('http chunk length too large'), 'body'),
  http('C40', chunked('2\r\n{}xx0\r\n\r\n'), broken('malformed chunked encoding'), 'body'),
  ...['-1', 'abc', '99999999999999999999'].map(text =>
    http('C41', raw(`${ok}Content-Length: ${text}\r\n\r\n{}`), malformed(`bad Content-Length "${text}"`)),
  ),
  http(
    'C42',
    raw(`${ok}Content-Length: 99\r\nContent-Length: 3\r\n\r\n{}`),
    malformed('http: message cannot contain multiple Content-Length headers; got ["99" "3"]'),
  ),
  good('C43', raw(`${ok}${length}${rest}`)),
  http('C44', raw(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`), malformed('unsupported transfer encoding: "gzip, chunked"')),
  http('C45', raw('bad-http\r\n\r\n'), malformed('malformed HTTP response "bad-http"')),
  http('C45', raw('HTTP/1.1 1000 X\r\n\r\n'), malformed('malformed HTTP status code "1000"')),
  http('C45', raw('ICY 200 OK\r\n\r\n'), malformed('malformed HTTP version "ICY"')),
  http('C46', raw(`${ok}this is bad\r\n\r\n`), malformed('malformed MIME header: missing colon: "this is bad"')),
  good('C47', raw(`HTTP/1.1 200 OK\nContent-Type: application/json\n${length.trim()}\n\n${allowed}`)),
  good('C47', raw(`${ok}X: a\r\n b\r\n${rest}`)),
  http('C48', raw(`${ok}X: a\u0000b\r\n${rest}`), malformed('malformed MIME header line: "X: a\\x00b"')),
  good('C49', raw([ok, { repeat: 'X: abcdefghijklmnopqrstuvwxyz\r\n', times: 5000 }, rest])),
  good('C49', raw([ok, 'X: ', { repeat: 'x', times: 1048576 }, '\r\n', rest])),
  http(
    'C50',
    raw([ok, { repeat: `X: ${'x'.repeat(1020)}\r\n`, times: 11 * 1024 }, rest]),
    malformed('net/http: server response headers exceeded 10485760 bytes; aborted'),
    'limit',
  ),
];

const encodings: readonly Fault[] = [
  good('C51', gzipped({ gzipOf: allowed })),
  http('C52', gzipped(allowed), broken('gzip: invalid header'), 'body'),
  good('C54', answer(allowed, { headers: { ...json, 'Content-Encoding': 'identity' } })),
  good('C57', answer(allowed, { headers: {} })),
  ...['text/plain', 'text/html', 'application/yaml', 'application/octet-stream', 'application/problem+json'].map(type =>
    good('C58', answer(allowed, { headers: { 'Content-Type': type } })),
  ),
  http(
    'C59',
    answer(allowed, { headers: { 'Content-Type': 'application/json; charset' } }),
    w2('Internal error occurred: mime: invalid media parameter'),
    'body',
  ),
  http(
    'C59',
    answer(allowed, { headers: { 'Content-Type': 'a/b, c/d' } }),
    w2('Internal error occurred: mime: unexpected content after media subtype'),
    'body',
  ),
  ...['deflate', 'br', 'zstd'].map(encoding => good('C53', answer(allowed, { headers: { ...json, 'Content-Encoding': encoding } }))),
  http(
    'C55',
    gzipped({ gzipOf: { repeat: ' ', times: 65 * 1024 * 1024 } }),
    w2('response body unpacks to more than 67108864 bytes; kube-apiserver has no such limit'),
    'limit',
  ),
];

/** Group C: HTTP. */
export const httpFaults: readonly Fault[] = [...statuses, ...redirects, ...wire, ...encodings];
