import { quote } from '../quote.js';

/** The part of a URL that is escaped: each keeps other characters as they are. */
export type UrlPart = 'path' | 'host' | 'zone' | 'userPassword' | 'query' | 'fragment';

/** An escape that is none, or a character a host cannot have; the message is Go's. */
export class EscapeFailure extends Error {
  override readonly name = 'EscapeFailure';
}

/** A text with its escapes undone. Throws EscapeFailure. Source: Go net/url unescape. */
export function unescapeUrl(text: string, part: UrlPart): string {
  checkEscapes(text, part);
  const plain = part === 'query' ? text.replaceAll('+', ' ') : text;
  if (!plain.includes('%')) return plain;
  const pieces = plain.split(/%([\da-fA-F]{2})/);
  return Buffer.concat(pieces.map((piece, i) => Buffer.from(piece, i % 2 === 0 ? 'utf8' : 'hex'))).toString();
}

/** A text with escapes where the part needs them. Source: Go net/url escape. */
export function escapeUrl(text: string, part: UrlPart): string {
  let out = '';
  for (const byte of Buffer.from(text)) {
    const c = String.fromCharCode(byte);
    if (isKept(c, part)) out += c;
    else out += c === ' ' && part === 'query' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Could this be the escaped form of a path? Source: Go net/url validEncoded. */
export function isEncoded(path: string): boolean {
  return Array.from(path).every(c => "!$&'()*+,;=:@[]%".includes(c) || isKept(c, 'path'));
}

const unreserved = /^[A-Za-z0-9\-_.~]$/;
const keptIn: Readonly<Record<UrlPart, string>> = {
  path: '$&+,/:;=@',
  host: '!"$&\'()*+,:;<=>[]',
  zone: '!"$&\'()*+,:;<=>[]',
  userPassword: '$&+,;=',
  query: '',
  fragment: '!$&()*+,/:;=?@',
};

function isKept(c: string, part: UrlPart): boolean {
  return unreserved.test(c) || keptIn[part].includes(c);
}

/** Looks at every escape, and in hosts at every other character too. */
function checkEscapes(text: string, part: UrlPart): void {
  for (let i = 0; i < text.length; ) {
    if (text[i] === '%') {
      checkEscape(text, i, part);
      i += 3;
      continue;
    }
    const c = text[i] ?? '';
    if ((part === 'host' || part === 'zone') && c < '\u0080' && !isKept(c, part)) {
      throw new EscapeFailure(`invalid character ${quote(c)} in host name`);
    }
    i += 1;
  }
}

function checkEscape(text: string, at: number, part: UrlPart): void {
  const written = text.slice(at, at + 3);
  const invalid = () => new EscapeFailure(`invalid URL escape ${quote(firstBytes(text.slice(at)))}`);
  if (!/^%[\da-fA-F]{2}$/.test(written)) throw invalid();
  if (written === '%25') return;
  const byte = Number.parseInt(written.slice(1), 16);
  // In a host only bytes beyond ASCII may be escaped.
  if (part === 'host' && byte < 0x80) throw invalid();
  const c = String.fromCharCode(byte);
  if (part === 'zone' && c !== ' ' && (byte >= 0x80 || !isKept(c, 'host'))) throw invalid();
}

function firstBytes(text: string): string {
  return Buffer.from(text).subarray(0, 3).toString();
}
