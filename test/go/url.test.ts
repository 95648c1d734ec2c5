import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../src/go/url/parse.js';
import { resolveReference } from '../../src/go/url/resolve.js';
import { requestUri, splitHost, urlText } from '../../src/go/url/url.js';

const base = 'https://127.0.0.1:8443/hooks/mutate?timeout=10s';

function resolved(reference: string, from = base): string {
  try {
    return urlText(resolveReference(parseUrl(from), parseUrl(reference)));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a Location header', () => {
  it.each([
    ['/other', 'https://127.0.0.1:8443/other'],
    ['other', 'https://127.0.0.1:8443/hooks/other'],
    ['../other?x=1#frag', 'https://127.0.0.1:8443/other?x=1#frag'],
    ['..//x', 'https://127.0.0.1:8443/x'],
    ['/a/./b/../c/', 'https://127.0.0.1:8443/a/c/'],
    ['', 'https://127.0.0.1:8443/hooks/mutate?timeout=10s'],
    ['?', 'https://127.0.0.1:8443/hooks/mutate?'],
    ['//other:1/x', 'https://other:1/x'],
    ['http://a b', 'parse "http://a b": invalid character " " in host name'],
    ['https://', 'https:'],
    ['HTTPS://Host/x', 'https://Host/x'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['/a b', 'https://127.0.0.1:8443/a%20b'],
    ['/é', 'https://127.0.0.1:8443/%C3%A9'],
    ['/a%2fb', 'https://127.0.0.1:8443/a%2fb'],
    ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
    ['https://[bad', `parse "https://[bad": missing ']' in host`],
    ['https://[::1]:x', 'parse "https://[::1]:x": invalid port ":x" after host'],
    ['https://[1::2::3]', 'parse "https://[1::2::3]": invalid host: ParseAddr("1::2::3"): multiple :: in address (at ":3")'],
    ['https://[127.0.0.1]', 'parse "https://[127.0.0.1]": invalid IP-literal'],
    ['https://a:1:2', 'parse "https://a:1:2": invalid port ":1:2" after host'],
    ['https://u:p@h/', 'https://u:p@h/'],
    ['/x y%AF', 'https://127.0.0.1:8443/x%20y%AF'],
    ['/x\udcff', 'https://127.0.0.1:8443/x%FF'],
    [':80/x', 'parse ":80/x": missing protocol scheme'],
    ['a:b:c/x', 'a:b:c/x'],
    ['1:b/x', 'parse "1:b/x": first path segment in URL cannot contain colon'],
    ['/a\x01b', 'parse "/a\\x01b": net/url: invalid control character in URL'],
  ])('resolves %j as Go does', (location, expected) => {
    expect(resolved(location)).toBe(expected);
  });
});

describe('a URL', () => {
  it.each([
    ['https://h', '/'],
    ['https://h/a b?x=y z', '/a%20b?x=y z'],
    ['https://h/x?', '/x?'],
    ['https:x', 'x'],
  ])('requests %j as %j', (url, target) => {
    expect(requestUri(parseUrl(url))).toBe(target);
  });

  it.each([
    ['a:1', { hostname: 'a', port: '1' }],
    ['a', { hostname: 'a', port: '' }],
    ['[::1]:8443', { hostname: '::1', port: '8443' }],
    ['[::1]', { hostname: '::1', port: '' }],
    ['a:', { hostname: 'a', port: '' }],
  ])('with the host %j has its name and port', (host, expected) => {
    expect(splitHost(host)).toEqual(expected);
  });
});
