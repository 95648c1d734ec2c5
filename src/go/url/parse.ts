import { parseAddress } from '../netip/address.js';
import { NetipError } from '../netip/error.js';
import { quote } from '../quote.js';
import { EscapeFailure, escapeUrl, isEncoded, unescapeUrl } from './escape.js';

/** A URL in its parts. Texts hold what Go's would: bytes that are no UTF-8 are replaced. */
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  /** As it prints, with the `@`. */
  readonly user: string;
  readonly host: string;
  readonly path: string;
  /** The path as it was written, where that is not the usual way to write it. */
  readonly rawPath: string;
  readonly omitHost: boolean;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
}

/** The text is no URL; the message is Go's. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** A URL of a request line: absolute, or a path. A `#` is part of it. Throws UrlError. Source: Go net/url ParseRequestURI. */
export function parseRequestUri(text: string): Url {
  return parsed(text, () => parse(text, true));
}

/** Any URL. Throws UrlError. Source: Go net/url Parse. */
export function parseUrl(text: string): Url {
  const [beforeHash = '', ...rest] = text.split('#');
  const url = parsed(beforeHash, () => parse(beforeHash, false));
  const fragment = rest.join('#');
  return fragment === '' ? url : { ...url, fragment: parsed(text, () => unescapeUrl(fragment, 'fragment')) };
}

/** The URL put together again. Source: Go URL.String. */
export function urlText(url: Url): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') out += url.opaque;
  else {
    const hasAuthority = url.scheme !== '' || url.host !== '' || url.user !== '';
    const omitted = url.omitHost && url.host === '' && url.user === '';
    if (hasAuthority && !omitted && (url.host !== '' || url.path !== '' || url.user !== '')) out += '//';
    if (hasAuthority && !omitted) out += url.user + escapeUrl(url.host, 'host');
    const path = escapedPath(url);
    if (path !== '' && !path.startsWith('/') && url.host !== '') out += '/';
    if (out === '' && path.split('/')[0]?.includes(':')) out += './';
    out += path;
  }
  if (url.forceQuery || url.rawQuery !== '') out += `?${url.rawQuery}`;
  return url.fragment === '' ? out : `${out}#${escapeUrl(url.fragment, 'fragment')}`;
}

/** The path with its escapes, as it was written if that is right. Source: Go URL.EscapedPath. */
export function escapedPath({ path, rawPath }: Url): string {
  if (rawPath !== '' && isEncoded(rawPath)) return rawPath;
  return path === '*' ? '*' : escapeUrl(path, 'path');
}

/** Host name and port of a host. Source: Go URL.Hostname, URL.Port. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isOptionalPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  const bracketed = name.startsWith('[') && name.endsWith(']');
  return { hostname: bracketed ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}

/** Names and values of a query, in order; what makes no sense is left out. Source: Go URL.Query. */
export function queryOf(rawQuery: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const pairs = rawQuery.split('&');
  if (pairs.length > mostParameters) return values;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const [key, value] = cut(pair, '=');
    try {
      const name = unescapeUrl(key, 'query');
      const unescaped = unescapeUrl(value ?? '', 'query');
      values.set(name, [...(values.get(name) ?? []), unescaped]);
    } catch (error) {
      if (!(error instanceof EscapeFailure)) throw error;
    }
  }
  return values;
}

const mostParameters = 10_000;

class UrlFailure extends Error {
  override readonly name = 'UrlFailure';
}

function parsed<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UrlFailure || error instanceof EscapeFailure) throw new UrlError(`parse ${quote(text)}: ${error.message}`);
    throw error;
  }
}

const emptyUrl: Url = {
  scheme: '',
  opaque: '',
  user: '',
  host: '',
  path: '',
  rawPath: '',
  omitHost: false,
  forceQuery: false,
  rawQuery: '',
  fragment: '',
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
    if (rest.split('/')[0]?.includes(':')) throw new UrlFailure('first path segment in URL cannot contain colon');
  }
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    return { ...url, ...parseAuthority(scheme, authority), ...pathOf(slash < 0 ? '' : rest.slice(slash)) };
  }
  return { ...url, omitHost: scheme !== '' && rest.startsWith('/'), ...pathOf(rest) };
}

function splitScheme(text: string): { readonly scheme: string; readonly afterScheme: string } {
  if (text.startsWith(':')) throw new UrlFailure('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  return scheme === undefined
    ? { scheme: '', afterScheme: text }
    : { scheme: scheme.toLowerCase(), afterScheme: text.slice(scheme.length + 1) };
}

function pathOf(text: string): Pick<Url, 'path' | 'rawPath'> {
  const path = unescapeUrl(text, 'path');
  return { path, rawPath: escapeUrl(path, 'path') === text ? '' : text };
}

function parseAuthority(scheme: string, authority: string): Pick<Url, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: '', host };
  const userInfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) throw new UrlFailure('net/url: invalid userinfo');
  const [name, password] = cut(userInfo, ':');
  const user = escapeUrl(unescapeUrl(name, 'userPassword'), 'userPassword');
  if (password === undefined) return { user: `${user}@`, host };
  return { user: `${user}:${escapeUrl(unescapeUrl(password, 'userPassword'), 'userPassword')}@`, host };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlFailure('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const strict = scheme === 'http' || scheme === 'https';
    checkPort(host.slice(strict ? first : host.lastIndexOf(':')));
  }
  return unescapeUrl(host, 'host');
}

function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlFailure("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const unescapedPort = unescapeUrl(port, 'host');
  const inner = host.slice(1, close);
  const zone = inner.indexOf('%25');
  const name = zone < 0 ? unescapeUrl(inner, 'host') : unescapeUrl(inner.slice(0, zone), 'host') + unescapeUrl(inner.slice(zone), 'zone');
  if (addressIn(name).bytes.length === 4) throw new UrlFailure('invalid IP-literal');
  return `[${name}]${unescapedPort}`;
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

function isOptionalPort(port: string): boolean {
  return /^(?::\d*)?$/.test(port);
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
