import { parseAddress } from '../netip/address.js';
import { NetipError } from '../netip/error.js';
import { quote } from '../quote.js';
import { EscapeFailure, escapeUrl, unescapeUrl } from './escape.js';
import { isOptionalPort, type Url, type UrlUserInfo } from './url.js';

/** Not a valid URL; the message is Go's: `parse "https://[bad": missing ']' in host`. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** Parses the URL of a request line: absolute, or a path; `#` has no meaning. Throws UrlError. Source: Go net/url ParseRequestURI. */
export function parseRequestUri(text: string): Url {
  return parsedPart(text, () => parse(text, true));
}

/** Parses an absolute or relative URL. Throws UrlError. Source: Go net/url Parse. */
export function parseUrl(text: string): Url {
  const [beforeHash, fragment = ''] = cut(text, '#');
  const url = parsedPart(beforeHash, () => parse(beforeHash, false));
  return fragment === '' ? url : { ...url, ...parsedPart(text, () => fragmentOf(fragment)) };
}

/** Returns the decoded path, and the written one if Go would escape it differently. Throws EscapeFailure. Source: Go URL.setPath. */
export function pathOfUrl(text: string): Pick<Url, 'path' | 'rawPath'> {
  const path = unescapeUrl(text, 'path');
  return { path, rawPath: escapeUrl(path, 'path') === text ? '' : text };
}

class UrlFailure extends Error {
  override readonly name = 'UrlFailure';
}

function parsedPart<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UrlFailure || error instanceof EscapeFailure) throw new UrlError(`parse ${quote(text)}: ${error.message}`);
    throw error;
  }
}

function fragmentOf(text: string): Pick<Url, 'fragment' | 'rawFragment'> {
  const fragment = unescapeUrl(text, 'fragment');
  return { fragment, rawFragment: escapeUrl(fragment, 'fragment') === text ? '' : text };
}

const emptyUrl: Url = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  omitHost: false,
  forceQuery: false,
  rawQuery: '',
  fragment: '',
  rawFragment: '',
};

function parse(text: string, viaRequest: boolean): Url {
  if (/[\0-\x1f\x7f]/.test(text)) throw new UrlFailure('net/url: invalid control character in URL');
  if (text === '' && viaRequest) throw new UrlFailure('empty url');
  if (text === '*') return { ...emptyUrl, path: '*' };
  const { scheme, afterScheme } = splitScheme(text);
  const forceQuery = /^[^?]*\?$/.test(afterScheme);
  const [rest, query] = cut(afterScheme, '?');
  const url = { ...emptyUrl, scheme, forceQuery, rawQuery: query ?? '' };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (viaRequest) throw new UrlFailure('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':')) throw new UrlFailure('first path segment in URL cannot contain colon');
  }
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    return { ...url, ...parseAuthority(scheme, authority), ...pathOfUrl(slash < 0 ? '' : rest.slice(slash)) };
  }
  return { ...url, omitHost: scheme !== '' && rest.startsWith('/'), ...pathOfUrl(rest) };
}

function splitScheme(text: string): { readonly scheme: string; readonly afterScheme: string } {
  if (text.startsWith(':')) throw new UrlFailure('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  return scheme === undefined
    ? { scheme: '', afterScheme: text }
    : { scheme: scheme.toLowerCase(), afterScheme: text.slice(scheme.length + 1) };
}

function parseAuthority(scheme: string, authority: string): { readonly user: UrlUserInfo | undefined; readonly host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const userInfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) throw new UrlFailure('net/url: invalid userinfo');
  const [name, password] = cut(userInfo, ':').map(part => part && unescapeUrl(part, 'userPassword'));
  return { user: { name: name ?? '', password }, host };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlFailure('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  // Only http and https insist on a single colon.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescapeUrl(host, 'host');
}

function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlFailure("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const inner = host.slice(1, close);
  const zone = inner.indexOf('%25');
  const name = zone < 0 ? unescapeUrl(inner, 'host') : unescapeUrl(inner.slice(0, zone), 'host') + unescapeUrl(inner.slice(zone), 'zone');
  if (addressIn(name).bytes.length === 4) throw new UrlFailure('invalid IP-literal');
  return `[${name}]${port}`;
}

function addressIn(name: string): ReturnType<typeof parseAddress> {
  try {
    return parseAddress(name);
  } catch (error) {
    if (error instanceof NetipError) throw new UrlFailure(`invalid host: ${error.message}`);
    throw error;
  }
}

function checkPort(port: string): void {
  if (!isOptionalPort(port)) throw new UrlFailure(`invalid port ${quote(port)} after host`);
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
