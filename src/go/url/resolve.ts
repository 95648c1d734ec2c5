import { isIPv4 } from 'node:net';
import { addressFault } from '../../transport/ip-literal.js';
import { quoteBytes } from '../quote-bytes.js';

/** A URL as Go holds it, every part a text of bytes (one a character). Source: Go net/url URL. */
export interface GoUrl {
  readonly scheme: string;
  /** The part after the scheme of a URL without slash: `mailto:a@example.com`. */
  readonly opaque: string;
  /** User name and password, decoded; undefined: none. */
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  /** Decoded, with brackets and port. */
  readonly host: string;
  /** Percent-encoded, as it is printed. */
  readonly path: string;
  readonly query: string;
  /** A question mark with nothing behind it. */
  readonly forceQuery: boolean;
  /** Percent-encoded, as it is printed. */
  readonly fragment: string;
  /** `file:/x`, not `file:///x`. */
  readonly omitHost: boolean;
}

/** Why a text is no URL: `parse "https://[bad": missing ']' in host`. */
export class UrlError extends Error {
  override readonly name = 'UrlError';
}

/** Reads an absolute or relative URL; fails with a {@link UrlError} in Go's words. Source: Go net/url Parse. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf('#');
  const before = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  const url = explained(before, () => parse(before));
  return fragment === '' ? url : { ...url, fragment: explained(text, () => encoded(fragment, 'fragment')) };
}

/** The URL that a reference means when it stands in `base`. Source: Go net/url ResolveReference. */
export function resolveUrl(base: GoUrl, reference: GoUrl): GoUrl {
  const url = { ...reference, scheme: reference.scheme === '' ? base.scheme : reference.scheme };
  if (reference.scheme !== '' || reference.host !== '' || reference.user !== undefined) {
    return { ...url, path: resolvePath(reference.path, '') };
  }
  if (reference.opaque !== '') return { ...url, user: undefined, host: '', path: '' };
  const isEmpty = reference.path === '' && !reference.forceQuery && reference.query === '';
  const query = isEmpty ? base.query : url.query;
  const fragment = isEmpty && reference.fragment === '' ? base.fragment : url.fragment;
  if (reference.path === '' && base.opaque !== '')
    return { ...url, query, fragment, opaque: base.opaque, user: undefined, host: '', path: '' };
  return { ...url, query, fragment, host: base.host, user: base.user, path: resolvePath(base.path, reference.path) };
}

/** The URL as text, a password masked. Source: Go net/url String, net/http stripPassword. */
export function printUrl(url: GoUrl): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') {
    out += url.opaque;
  } else {
    out += printAuthority(url);
    if (url.path !== '' && !url.path.startsWith('/') && url.host !== '') out += '/';
    // Else the colon would be taken for the end of a scheme.
    if (out === '' && (url.path.split('/', 1)[0] ?? '').includes(':')) out += './';
    out += url.path;
  }
  if (url.forceQuery || url.query !== '') out += `?${url.query}`;
  return url.fragment === '' ? out : `${out}#${url.fragment}`;
}

/** What stands in the request line. Source: Go net/url RequestURI. */
export function requestTarget(url: GoUrl): string {
  const opaque = url.opaque.startsWith('//') ? `${url.scheme}:${url.opaque}` : url.opaque;
  const target = opaque === '' ? url.path || '/' : opaque;
  return url.forceQuery || url.query !== '' ? `${target}?${url.query}` : target;
}

/** Host without brackets, and port; empty without one. Source: Go net/url splitHostPort. */
export function hostAndPort(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && /^\d*$/.test(host.slice(colon + 1));
  const name = hasPort ? host.slice(0, colon) : host;
  return { hostname: /^\[.*\]$/.test(name) ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}

function explained<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new UrlError(`parse ${quoteBytes(text)}: ${error.message}`);
  }
}

const emptyUrl: GoUrl = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  query: '',
  forceQuery: false,
  fragment: '',
  omitHost: false,
};

function parse(text: string): GoUrl {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text === '*') return { ...emptyUrl, path: '*' };
  const { scheme, after } = splitScheme(text);
  const { rest, ...query } = splitQuery(after);
  const url = { ...emptyUrl, scheme, ...query };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if ((rest.split('/', 1)[0] ?? '').includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    const path = slash < 0 ? '' : rest.slice(slash);
    return { ...url, ...parseAuthority(scheme, authority), path: encoded(path, 'path') };
  }
  return { ...url, omitHost: scheme !== '' && rest.startsWith('/'), path: encoded(rest, 'path') };
}

function splitScheme(text: string): { readonly scheme: string; readonly after: string } {
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  return scheme === undefined ? { scheme: '', after: text } : { scheme: scheme.toLowerCase(), after: text.slice(scheme.length + 1) };
}

function splitQuery(text: string): { readonly rest: string; readonly query: string; readonly forceQuery: boolean } {
  const mark = text.indexOf('?');
  if (mark < 0) return { rest: text, query: '', forceQuery: false };
  return { rest: text.slice(0, mark), query: text.slice(mark + 1), forceQuery: mark === text.length - 1 };
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
  const colon = user.indexOf(':');
  const name = decoded(colon < 0 ? user : user.slice(0, colon), 'user');
  return { host, user: { name, password: colon < 0 ? undefined : decoded(user.slice(colon + 1), 'user') } };
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return parseAddressLiteral(host);
  // Only http and https insist on a single colon.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return decoded(host, 'host');
}

function parseAddressLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const inside = host.slice(1, close);
  const zone = inside.indexOf('%25');
  const name = zone < 0 ? decoded(inside, 'host') : decoded(inside.slice(0, zone), 'host') + decoded(inside.slice(zone), 'zone');
  if (isIPv4(name)) throw new UrlError('invalid IP-literal');
  const fault = addressFault(name);
  if (fault !== undefined) throw new UrlError(`invalid host: ${fault}`);
  return `[${name}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new UrlError(`invalid port ${quoteBytes(port)} after host`);
}

function printAuthority({ scheme, host, user, path, omitHost }: GoUrl): string {
  if (scheme === '' && host === '' && user === undefined) return '';
  if (omitHost && host === '' && user === undefined) return '';
  const slashes = host !== '' || path !== '' || user !== undefined ? '//' : '';
  return slashes + printUser(user) + escaped(host, 'host');
}

function printUser(user: GoUrl['user']): string {
  if (user === undefined) return '';
  return user.password === undefined ? `${escaped(user.name, 'user')}@` : `${user.name}:***@`;
}

function resolvePath(base: string, reference: string): string {
  const full = reference === '' ? base : reference.startsWith('/') ? reference : base.slice(0, base.lastIndexOf('/') + 1) + reference;
  if (full === '') return '';
  let out = '/';
  // An empty segment counts unless nothing stands before it: `/..//x` is `/x`, `//x` stays.
  let isFirst = true;
  const segments = full.split('/');
  for (const segment of segments) {
    if (segment === '..') {
      out = out.slice(0, Math.max(1, out.lastIndexOf('/')));
      isFirst = out.length === 1;
    } else {
      if (segment !== '.') out += isFirst ? segment : `/${segment}`;
      isFirst = false;
    }
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') out += '/';
  return encoded(out.startsWith('//') ? out.slice(1) : out, 'path');
}

type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment';

/** A path or fragment as Go prints it: as it was written when that is a valid encoding, else encoded anew. Source: Go net/url setPath, EscapedPath. */
function encoded(text: string, part: 'path' | 'fragment'): string {
  const meant = decoded(text, part);
  if (!/[^\x21-\x7e]/.test(text) && hasOnlyPlain(text, part)) return text;
  return escaped(meant, part);
}

function hasOnlyPlain(text: string, part: 'path' | 'fragment'): boolean {
  return [...text].every(character => "!$&'()*+,;=:@[]%".includes(character) || !mustEscape(character, part));
}

function escaped(text: string, part: Part): string {
  return text.replace(/[\s\S]/g, character => {
    if (!mustEscape(character, part)) return character;
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Source: the table of Go net/url. */
function mustEscape(character: string, part: Part): boolean {
  return !plain[part].test(character);
}

const plain: Readonly<Record<Part, RegExp>> = {
  path: /[A-Za-z0-9\-._~$&+,/:;=@]/,
  fragment: /[A-Za-z0-9\-._~$&+,/:;=@!()*?]/,
  user: /[A-Za-z0-9\-._~$&+,;=]/,
  host: /[A-Za-z0-9\-._~!"$&'()*+,:;<=>[\]]/,
  zone: /[A-Za-z0-9\-._~!"$&'()*+,:;<=>[\]]/,
};

function decoded(text: string, part: Part): string {
  checkEscapes(text, part);
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function checkEscapes(text: string, part: Part): void {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character !== '%') {
      if ((part === 'host' || part === 'zone') && character < '\x80' && mustEscape(character, part)) {
        throw new UrlError(`invalid character ${quoteBytes(character)} in host name`);
      }
      continue;
    }
    const three = text.slice(at, at + 3);
    if (!/^%[0-9A-Fa-f]{2}$/.test(three)) throw new UrlError(`invalid URL escape ${quoteBytes(three)}`);
    const byte = String.fromCharCode(Number.parseInt(three.slice(1), 16));
    const refused = part === 'host' ? byte < '\x80' : part === 'zone' && byte !== ' ' && mustEscape(byte, 'host');
    if (three !== '%25' && refused) throw new UrlError(`invalid URL escape ${quoteBytes(three)}`);
    at += 2;
  }
}
