import { describe, expect, it } from 'vitest';
import { canonicalHeaderName } from '../../src/go/header-name.js';
import { parseMediaType } from '../../src/go/media-type.js';
import { atoi, parseInt64 } from '../../src/go/parse-integer.js';
import { quote, quoteToAscii } from '../../src/go/quote.js';
import { statusText } from '../../src/go/status-text.js';
import { trimSpace } from '../../src/go/white-space.js';
import { genericServerResponse } from '../../src/kubernetes/server-response.js';
import { parseWarningHeaders, printWarningHeader } from '../../src/kubernetes/warning-header.js';

describe('a media type', () => {
  it.each([
    ['Application/JSON; Charset="utf-8"', 'application/json', { charset: 'utf-8' }],
    ['a/b;;', 'error', 'mime: invalid media parameter'],
    ['a/b; ;', 'error', 'mime: invalid media parameter'],
    ['a/b;', 'a/b', {}],
    ['a/b; x="c\\d\\""', 'a/b', { x: 'c\\d"' }],
    ["a/b; t*=UTF-8'en'%C3%A9; u*0=x; u*1*=%41", 'a/b', { t: 'é', u: 'xA' }],
    ['a/b; x=1; x=1', 'a/b', { x: '1' }],
    ['a/b; x=1; x=2', 'error', 'mime: duplicate parameter name'],
    ['', 'error', 'mime: no media type'],
    ['a b', 'error', 'mime: expected slash after first token'],
  ])('is read as Go reads it: %s', (text, type, rest) => {
    const read = () => parseMediaType(text);
    if (type === 'error') expect(read).toThrow(String(rest));
    else expect([read().type, Object.fromEntries(read().parameters)]).toEqual([type, rest]);
  });
});

describe('a Warning header', () => {
  it('is written with its text escaped', () => {
    expect(printWarningHeader({ code: 299, agent: '', text: 'a "b" \\' })).toBe('299 - "a \\"b\\" \\\\"');
    expect(() => printWarningHeader({ code: 299, agent: 'a b', text: 'a' })).toThrow('agent must be valid UTF-8');
    expect(() => printWarningHeader({ code: 299, agent: '', text: 'two\nlines' })).toThrow('text must be valid UTF-8');
  });

  it.each([
    ['299 - "a" "Mon, 02 Jan 2006 15:04:05 GMT", 199 x "b\\"c"', ['a', 'b"c'], undefined],
    ['299 - "=?utf-8?q?caf=C3=A9?= =?iso-8859-1?b?6Q==?="', ['caféé'], undefined],
    ['299 - "=?koi8-r?q?a?="', ['=?koi8-r?q?a?='], undefined],
    ['299 - "=?bad =?utf-8?q?a?="', ['=?bad =?utf-8?q?a?='], undefined],
    ['299 - "a" x', [], 'invalid warning header: unexpected token after warn-date'],
    ['299 - "a', [], 'invalid warning header: invalid quoted string: missing closing quote'],
    ['29 - "a"', [], 'invalid warning header: code segment is not 3 digits between 100-299'],
  ])('is parsed: %s', (value, texts, error) => {
    const parsed = parseWarningHeaders(value);
    expect([parsed.warnings.map(w => w.text), parsed.error]).toEqual([texts, error]);
  });
});

describe('names and messages', () => {
  it('of Go for integers, header names, statuses and white space', () => {
    expect(atoi('+9223372036854775807')).toBe(9223372036854775807n);
    expect(atoi('1_0')).toEqual({ error: 'strconv.Atoi: parsing "1_0": invalid syntax' });
    expect(parseInt64('99999999999999999999x')).toEqual({ error: 'strconv.ParseInt: parsing "99999999999999999999x": value out of range' });
    expect([canonicalHeaderName('retry-AFTER'), canonicalHeaderName('a b')]).toEqual(['Retry-After', 'a b']);
    expect([statusText(413), statusText(299)]).toEqual(['Request Entity Too Large', '']);
    expect(trimSpace('\u0085\u3000 a\ufeff\n')).toBe('a\ufeff');
  });

  it('in quotes keep printable characters, or only ASCII', () => {
    expect([quote('é\u00a0\udcff'), quoteToAscii('é\u{1f600}\n')]).toEqual(['"é\\u00a0\\xff"', '"\\u00e9\\U0001f600\\n"']);
  });

  it.each([
    [404, 'GET', 'the server could not find the requested resource (get pods.g web)', 'NotFound'],
    [409, 'POST', 'the server reported a conflict (post pods.g web)', 'AlreadyExists'],
    [409, 'PUT', 'the server reported a conflict (put pods.g web)', 'Conflict'],
    [500, 'GET', 'an error on the server ("a\\n") has prevented the request from succeeding (get pods.g web)', 'InternalError'],
    [418, 'GET', 'the server responded with the status code 418 but did not return more information (get pods.g web)', undefined],
  ])('for a response that is not a Status: %i', (code, verb, message, reason) => {
    const resource = { group: 'g', resource: 'pods' };
    const response = { code, verb, resource, name: 'web', serverMessage: 'a\n', retryAfterSeconds: 0, unexpected: false };
    const { status } = genericServerResponse(response);
    expect([status.message, status.reason]).toEqual([message, reason]);
  });
});
