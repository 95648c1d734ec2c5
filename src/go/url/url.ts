import { EscapeFailure, escapeUrl, isEncoded, unescapeUrl } from './escape.js';

/** The parts of a URL. Bytes that are not UTF-8 are kept, see `decodeUtf8Bytes`. Source: Go net/url URL. */
export interface Url {
  readonly scheme: string;
  /** The part after the scheme of a URL without a slash: `mailto:a@example.com`. */
  readonly opaque: string;
  readonly user: UrlUserInfo | undefined;
  /** Decoded, with brackets and port. */
  readonly host: string;
  readonly path: string;
  /** The path as it was written, if Go would escape it differently. */
  readonly rawPath: string;
  /** `file:/x`, not `file:///x`. */
  readonly omitHost: boolean;
  /** A question mark without a query. */
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  /** The fragment as it was written, if Go would escape it differently. */
  readonly rawFragment: string;
}

/** User name and password, decoded. */
export interface UrlUserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

/** Returns the URL as text. Source: Go URL.String. */
export function urlText(url: Url): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') out += url.opaque;
  else {
    out += authorityText(url);
    const path = escapedPath(url);
    if (path !== '' && !path.startsWith('/') && url.host !== '') out += '/';
    // Otherwise the colon would end a scheme.
    if (out === '' && path.split('/', 1)[0]?.includes(':')) out += './';
    out += path;
  }
  if (url.forceQuery || url.rawQuery !== '') out += `?${url.rawQuery}`;
  return url.fragment === '' ? out : `${out}#${escapedFragment(url)}`;
}

/** Returns user name and password, escaped: `name:password`. Source: Go Userinfo.String. */
export function userText({ name, password }: UrlUserInfo): string {
  const user = escapeUrl(name, 'userPassword');
  return password === undefined ? user : `${user}:${escapeUrl(password, 'userPassword')}`;
}

/** Returns the path with its escapes, as it was written if that is valid. Source: Go URL.EscapedPath. */
export function escapedPath({ path, rawPath }: Url): string {
  if (rawPath !== '' && isEncoded(rawPath, 'path')) return rawPath;
  return path === '*' ? '*' : escapeUrl(path, 'path');
}

/** Returns path and query as a request line has them. Source: Go URL.RequestURI. */
export function requestUri(url: Url): string {
  const opaque = url.opaque.startsWith('//') ? `${url.scheme}:${url.opaque}` : url.opaque;
  const target = opaque === '' ? escapedPath(url) || '/' : opaque;
  return url.forceQuery || url.rawQuery !== '' ? `${target}?${url.rawQuery}` : target;
}

/** Returns host name and port of a host. Source: Go URL.Hostname, URL.Port. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isOptionalPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  const bracketed = name.startsWith('[') && name.endsWith(']');
  return { hostname: bracketed ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}

/** Returns whether a text is empty or a colon and a port number. */
export function isOptionalPort(port: string): boolean {
  return /^(?::\d*)?$/.test(port);
}

/** Returns names and values of a query, in order; invalid pairs are skipped. Source: Go URL.Query. */
export function queryOfUrl(rawQuery: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const pairs = rawQuery.split('&');
  if (pairs.length > maxParameters) return values;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const [key, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    try {
      const name = unescapeUrl(key, 'query');
      const unescaped = unescapeUrl(value, 'query');
      values.set(name, [...(values.get(name) ?? []), unescaped]);
    } catch (error) {
      if (!(error instanceof EscapeFailure)) throw error;
    }
  }
  return values;
}

const maxParameters = 10_000;

function authorityText({ scheme, host, user, path, omitHost }: Url): string {
  if (scheme === '' && host === '' && user === undefined) return '';
  if (omitHost && host === '' && user === undefined) return '';
  const slashes = host !== '' || path !== '' || user !== undefined ? '//' : '';
  return `${slashes}${user === undefined ? '' : `${userText(user)}@`}${escapeUrl(host, 'host')}`;
}

function escapedFragment({ fragment, rawFragment }: Url): string {
  return rawFragment !== '' && isEncoded(rawFragment, 'fragment') ? rawFragment : escapeUrl(fragment, 'fragment');
}
