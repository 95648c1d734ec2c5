import { parseAddress } from '../go/ip.js';
import { quote } from './quote.js';

/** A URI among a certificate's names. Characters stand for octets here: what percent signs escape may be any octet. */
export interface Uri {
  /** With the port; empty when there is none. */
  readonly host: string;
  /** As Go prints it again. */
  readonly text: string;
}

/** Reads a URI of ASCII characters as Go's net/url does; otherwise Go's error text, `parse "...": ...`. Source: net/url Parse. */
export function parseUri(text: string): Uri | string {
  const hash = text.indexOf('#');
  const beforeFragment = hash < 0 ? text : text.slice(0, hash);
  try {
    const uri = parseWithoutFragment(beforeFragment);
    return { host: uri.host, text: uri.text + printedFragment(hash < 0 ? '' : text.slice(hash + 1), text) };
  } catch (error) {
    if (!(error instanceof UriProblem)) throw error;
    return `parse ${quote(error.uri ?? beforeFragment)}: ${error.message}`;
  }
}

class UriProblem extends Error {
  constructor(
    message: string,
    readonly uri?: string,
  ) {
    super(message);
  }
}

/** What may stand unescaped in each part of a URI. */
const plain = {
  path: /^[A-Za-z0-9$&+,\-./:;=@_~]$/,
  host: /^[A-Za-z0-9!"$&'()*+,\-.:;<=>[\]_~]$/,
  userinfo: /^[A-Za-z0-9$&+,\-.;=_~]$/,
  fragment: /^[A-Za-z0-9!$&()*+,\-./:;=?@_~]$/,
} as const;

function parseWithoutFragment(text: string): Uri {
  if (/[\0-\x1f\x7f]/.test(text)) throw new UriProblem('net/url: invalid control character in URL');
  if (text === '*') return { host: '', text };
  const { scheme, rest: afterScheme } = splitScheme(text);
  const question = afterScheme.indexOf('?');
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const query = question < 0 ? '' : afterScheme.slice(question);
  const prefix = scheme === '' ? '' : `${scheme}:`;
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { host: '', text: prefix + (rest === '' ? '' : rest) + query };
    if ((rest.split('/')[0] ?? '').includes(':')) throw new UriProblem('first path segment in URL cannot contain colon');
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) {
    const path = printedPath(rest);
    const safePath = prefix === '' && (path.split('/')[0] ?? '').includes(':') ? `./${path}` : path;
    return { host: '', text: prefix + safePath + query };
  }
  const end = rest.indexOf('/', 2);
  const authority = readAuthority(scheme, rest.slice(2, end < 0 ? undefined : end));
  const path = printedPath(end < 0 ? '' : rest.slice(end));
  const slashes = authority.host !== '' || path !== '' || authority.userinfo !== undefined ? '//' : '';
  const userinfo = authority.userinfo === undefined ? '' : `${authority.userinfo}@`;
  const printedAuthority = scheme === '' && authority.host === '' && authority.userinfo === undefined ? '' : slashes + userinfo;
  return { host: authority.host, text: prefix + printedAuthority + escaped(authority.host, 'host') + path + query };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UriProblem('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text)?.[1];
  return scheme === undefined ? { scheme: '', rest: text } : { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) };
}

function readAuthority(scheme: string, authority: string): { host: string; userinfo: string | undefined } {
  const at = authority.lastIndexOf('@');
  const host = readHost(scheme, authority.slice(at + 1));
  if (at < 0) return { host, userinfo: undefined };
  const userinfo = authority.slice(0, at);
  if (!/^[-A-Za-z0-9._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new UriProblem('net/url: invalid userinfo');
  const colon = userinfo.indexOf(':');
  const parts = colon < 0 ? [userinfo] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  return { host, userinfo: parts.map(part => escaped(unescaped(part, 'userinfo'), 'userinfo')).join(':') };
}

function readHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UriProblem('invalid IP-literal');
  if (bracket === 0) return readBracketedHost(host);
  const first = host.indexOf(':');
  // Only http and https are held to the rule that a host has one colon.
  const colon = scheme === 'http' || scheme === 'https' ? first : host.lastIndexOf(':');
  if (first >= 0) checkPort(host.slice(colon));
  return unescaped(host, 'host');
}

function readBracketedHost(host: string): string {
  const closing = host.lastIndexOf(']');
  if (closing < 0) throw new UriProblem("missing ']' in host");
  const port = host.slice(closing + 1);
  checkPort(port);
  const name = host.slice(1, closing);
  const zoneAt = name.indexOf('%25');
  const unescapedName =
    zoneAt < 0 ? unescaped(name, 'host') : unescaped(name.slice(0, zoneAt), 'host') + unescaped(name.slice(zoneAt), 'zone');
  const address = parseAddress(unescapedName);
  if (typeof address === 'string') throw new UriProblem(`invalid host: ${address}`);
  if (address.isIPv4) throw new UriProblem('invalid IP-literal');
  return `[${unescapedName}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new UriProblem(`invalid port ${quote(port)} after host`);
}

function printedPath(path: string): string {
  const decoded = unescaped(path, 'path');
  return printedAgain(path, decoded, 'path');
}

function printedFragment(fragment: string, uri: string): string {
  if (fragment === '') return '';
  try {
    const decoded = unescaped(fragment, 'fragment');
    return decoded === '' ? '' : `#${printedAgain(fragment, decoded, 'fragment')}`;
  } catch (error) {
    throw error instanceof UriProblem ? new UriProblem(error.message, uri) : error;
  }
}

/** Go keeps the writer's escapes where they are a possible way to write the part. */
function printedAgain(written: string, decoded: string, part: 'path' | 'fragment'): string {
  const keepable = [...written].every(c => /[!$&'()*+,;=:@[\]%]/.test(c) || plain[part].test(c));
  if (keepable) return written;
  return decoded === '*' ? '*' : escaped(decoded, part);
}

function unescaped(text: string, part: keyof typeof plain | 'zone'): string {
  let result = '';
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (character !== '%') {
      const isHost = part === 'host' || part === 'zone';
      if (isHost && character < '\x80' && !plain.host.test(character)) {
        throw new UriProblem(`invalid character ${quote(character)} in host name`);
      }
      result += character;
      continue;
    }
    const sequence = text.slice(i, i + 3);
    const code = /^%[0-9A-Fa-f]{2}$/.test(sequence) ? Number.parseInt(sequence.slice(1), 16) : undefined;
    if (code === undefined || !mayBeEscaped(code, part)) throw new UriProblem(`invalid URL escape ${quote(sequence)}`);
    result += String.fromCharCode(code);
    i += 2;
  }
  return result;
}

/** In a host only octets above ASCII and the percent sign may be escaped; in a zone also what needs no escape, and the space. */
function mayBeEscaped(code: number, part: keyof typeof plain | 'zone'): boolean {
  if (part === 'host') return code >= 0x80 || code === 0x25;
  if (part === 'zone') return code === 0x25 || code === 0x20 || plain.host.test(String.fromCharCode(code));
  return true;
}

function escaped(text: string, part: keyof typeof plain): string {
  return text.replace(/[\s\S]/g, character =>
    plain[part].test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
