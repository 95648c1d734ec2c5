import { allowed, answer, broken, type Decision, type Fault, malformed, raw, status, w1, w2 } from './fault.js';

const json = { 'Content-Type': 'application/json' };
const more = (code: number): string => w2(`the server responded with the status code ${code} but did not return more information`);
const server = (body: string): string => w2(`an error on the server ("${body}") has prevented the request from succeeding`);
const ok = 'HTTP/1.1 200 OK\r\n';
const length = `Content-Length: ${allowed.length - '{{uid}}'.length + 36 - '{{apiVersion}}'.length + 'admission.k8s.io/v1'.length}\r\n`;
const rest = `Content-Type: application/json\r\n${length}\r\n${allowed}`;

function http(name: string, script: unknown, message: string, decision: Decision = 'http'): Fault {
  return { name, script, decision, message };
}

function good(name: string, script: unknown): Fault {
  return { name, script, decision: 'allowed', message: '' };
}

function redirect(code: number, location: string): unknown {
  return { kind: 'http', status: code, headers: { Location: location } };
}

const seeOther = (code: number): unknown => ({ path: '/w', endpoint: redirect(code, '/else'), routes: { '/else': answer(allowed) } });
const chunked = (chunks: string): unknown => raw(`${ok}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
const gzipped = (body: unknown): unknown => answer(body, { headers: { ...json, 'Content-Encoding': 'gzip' } });

const statuses: readonly Fault[] = [
  ...[200, 201, 202, 203, 205, 206].map(code => good('2xx with a review', answer(allowed, { status: code }))),
  http(
    '204',
    raw('HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n'),
    w2('0-length response with status code: 204 and content type: application/json'),
    'body',
  ),
  ...[207, 226, 299, 300, 304, 305, 306].map(code => http('other 2xx and 3xx', status(code), more(code))),
  http('400', status(400), w2('the server rejected our request for an unknown reason')),
  http('401', status(401), w2('the server has asked for the client to provide credentials')),
  http('403', status(403, 'go away'), w2('go away')),
  http('403', status(403, allowed, json), w2('unknown')),
  http('404', status(404), w2('the server could not find the requested resource')),
  http('405', status(405), w2('the server does not allow this method on the requested resource')),
  http('406', status(406, 'no such type'), w2('no such type')),
  http('406', status(406, '{}', json), w2('the server was unable to respond with a content type that the client supports')),
  http('409', status(409), w2('the server reported a conflict')),
  http('415', status(415, 'text'), w2('text')),
  http('422', status(422), w2('the server rejected our request due to an error in our request')),
  ...[402, 407, 408, 410, 411, 412, 414, 417, 418, 421, 423, 424, 425, 426, 428, 431, 451, 499].map(code =>
    http('other 4xx', status(code), more(code)),
  ),
  http('429', status(429), w2('the server has received too many requests and has asked us to try again later')),
  ...[500, 501, 502, 505, 511, 599, 600, 999].map(code => http('other 5xx', status(code, 'boom'), server('boom'))),
  http('other 5xx', status(500, '{}', json), server('unknown')),
  http('503', status(503, 'boom'), w2('the server is currently unable to handle the request')),
  http('504', status(504), w2('the server was unable to return a response in the time allotted, but may still be processing the request')),
  http(
    'Status as body',
    status(400, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"said so","code":400}', json),
    w2('said so'),
  ),
  http('review as body of an error', status(400, allowed, json), w2('the server rejected our request for an unknown reason')),
  http(
    'Status as body of 200',
    answer('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"said so"}'),
    w2('converting (v1.Status) to (v1.AdmissionReview): unknown conversion'),
    'body',
  ),
  http('Retry-After 0', status(503, '', { 'Retry-After': '0' }), w2('the server is currently unable to handle the request')),
  good('Retry-After 0', { kind: 'sequence', answers: [status(429, '', { 'Retry-After': '0' }), answer(allowed)] }),
  http(
    'Retry-After that is not retried',
    status(503, '', { 'Retry-After': '-1' }),
    w2('the server is currently unable to handle the request'),
  ),
  http(
    'Retry-After that is not retried',
    status(429, '', { 'Retry-After': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
    w2('the server has received too many requests and has asked us to try again later'),
  ),
  {
    name: 'Retry-After beyond the deadline',
    script: status(503, '', { 'Retry-After': '99999' }),
    decision: 'time',
    message: w1('context deadline exceeded', { timeoutSeconds: 1 }),
    setting: { timeoutSeconds: 1 },
  },
  http('413 without body', raw('HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 0\r\n\r\n'), more(413)),
];

const redirects: readonly Fault[] = [
  ...[301, 302, 303].map(code =>
    http(
      'redirect that becomes a GET',
      { path: '/w', endpoint: redirect(code, '/else'), routes: { '/else': status(405) } },
      w2('the server does not allow this method on the requested resource'),
    ),
  ),
  ...[307, 308].map(code => good('redirect that stays a POST', seeOther(code))),
  http('redirect without Location', status(301), more(301)),
  http(
    'redirect loop',
    { routes: { '/w': redirect(307, '/w') } },
    w1('stopped after 10 redirects').replace('https://127.0.0.1:PORT/w?timeout=10s', '/w'),
  ),
  http(
    'redirect to another scheme',
    redirect(307, 'file:///etc/passwd'),
    w2('Post "file:///etc/passwd": unsupported protocol scheme "file"'),
  ),
  http(
    'redirect with a malformed Location',
    redirect(307, 'https://[::1/x'),
    w1(`failed to parse Location header "https://[::1/x": parse "https://[::1/x": missing ']' in host`),
  ),
];

const wire: readonly Fault[] = [
  ...[1, 5].map(n => good('100 Continue before the response', raw(`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(n)}${ok}${rest}`))),
  good('many 100 Continue before the response', raw(`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20)}${ok}${rest}`)),
  good('103 Early Hints', raw(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok}${rest}`)),
  http(
    '101 Switching Protocols',
    raw(`HTTP/1.1 101 Switching Protocols\r\n\r\nrest`),
    w2('0-length response with status code: 101 and content type: application/json'),
  ),
  http('nothing after 100 Continue', raw('HTTP/1.1 100 Continue\r\n\r\n'), malformed('unexpected EOF')),
  http('empty response', raw(''), w1('EOF'), 'tcp'),
  http(
    'connection closed in the headers',
    raw(`${ok}Content-Type: a/b\r\nConte`),
    malformed('malformed MIME header: missing colon: "Conte"'),
  ),
  http('connection closed in the body', raw(`${ok}Content-Length: 200\r\n\r\n{`), broken('unexpected EOF'), 'body'),
  http('connection closed in the body', chunked('5\r\n{'), broken('unexpected EOF'), 'body'),
  http('connection closed in the body', chunked('1\r\n{\r\n'), broken('unexpected EOF'), 'body'),
  http('connection aborted in the body', raw(`${ok}Content-Length: 200\r\n\r\n{`, 'abort'), broken('unexpected EOF'), 'body'),
  good('bytes after the body', raw(`${ok}${rest}rubbish`)),
  http('malformed chunks', chunked('zz\r\n{}\r\n0\r\n\r\n'), broken('invalid byte in chunk length'), 'body'),
  http('malformed chunks', chunked('11111111111111111\r\n{}'), broken('http chunk length too large'), 'body'),
  http('malformed chunks', chunked('2\r\n{}xx0\r\n\r\n'), broken('malformed chunked encoding'), 'body'),
  ...['-1', 'abc', '99999999999999999999'].map(text =>
    http('malformed Content-Length', raw(`${ok}Content-Length: ${text}\r\n\r\n{}`), malformed(`bad Content-Length "${text}"`)),
  ),
  http(
    'contradictory Content-Length headers',
    raw(`${ok}Content-Length: 99\r\nContent-Length: 3\r\n\r\n{}`),
    malformed('http: message cannot contain multiple Content-Length headers; got ["99" "3"]'),
  ),
  good('repeated Content-Length header', raw(`${ok}${length}${rest}`)),
  http(
    'unsupported transfer encoding',
    raw(`${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`),
    malformed('unsupported transfer encoding: "gzip, chunked"'),
  ),
  http('malformed status line', raw('bad-http\r\n\r\n'), malformed('malformed HTTP response "bad-http"')),
  http('malformed status line', raw('HTTP/1.1 1000 X\r\n\r\n'), malformed('malformed HTTP status code "1000"')),
  http('malformed status line', raw('ICY 200 OK\r\n\r\n'), malformed('malformed HTTP version "ICY"')),
  http('malformed header', raw(`${ok}this is bad\r\n\r\n`), malformed('malformed MIME header: missing colon: "this is bad"')),
  good('bare LF and folded headers', raw(`HTTP/1.1 200 OK\nContent-Type: application/json\n${length.trim()}\n\n${allowed}`)),
  good('bare LF and folded headers', raw(`${ok}X: a\r\n b\r\n${rest}`)),
  http('NUL in a header', raw(`${ok}X: a\u0000b\r\n${rest}`), malformed('malformed MIME header line: "X: a\\x00b"')),
  good('large headers', raw([ok, { repeat: 'X: abcdefghijklmnopqrstuvwxyz\r\n', times: 5000 }, rest])),
  good('large headers', raw([ok, 'X: ', { repeat: 'x', times: 1048576 }, '\r\n', rest])),
  http(
    'headers over the limit',
    raw([ok, { repeat: `X: ${'x'.repeat(1020)}\r\n`, times: 11 * 1024 }, rest]),
    malformed('net/http: server response headers exceeded 10485760 bytes; aborted'),
    'limit',
  ),
];

const encodings: readonly Fault[] = [
  good('gzip body', gzipped({ gzipOf: allowed })),
  http('Content-Encoding gzip without gzip', gzipped(allowed), broken('gzip: invalid header'), 'body'),
  good('Content-Encoding identity', answer(allowed, { headers: { ...json, 'Content-Encoding': 'identity' } })),
  good('no Content-Type', answer(allowed, { headers: {} })),
  ...['text/plain', 'text/html', 'application/yaml', 'application/octet-stream', 'application/problem+json'].map(type =>
    good('other Content-Type', answer(allowed, { headers: { 'Content-Type': type } })),
  ),
  http(
    'malformed Content-Type',
    answer(allowed, { headers: { 'Content-Type': 'application/json; charset' } }),
    w2('Internal error occurred: mime: invalid media parameter'),
    'body',
  ),
  http(
    'malformed Content-Type',
    answer(allowed, { headers: { 'Content-Type': 'a/b, c/d' } }),
    w2('Internal error occurred: mime: unexpected content after media subtype'),
    'body',
  ),
  ...['deflate', 'br', 'zstd'].map(encoding =>
    good('unknown Content-Encoding', answer(allowed, { headers: { ...json, 'Content-Encoding': encoding } })),
  ),
  http(
    'gzip body over the limit',
    gzipped({ gzipOf: { repeat: ' ', times: 65 * 1024 * 1024 } }),
    w2('response body unpacks to more than 67108864 bytes; kube-apiserver has no such limit'),
    'limit',
  ),
];

/** Group C: HTTP. */
export const httpFaults: readonly Fault[] = [...statuses, ...redirects, ...wire, ...encodings];
