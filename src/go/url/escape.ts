import { quote } from '../quote.js';
import { decodeUtf8Bytes, encodeUtf8Bytes } from '../utf8.js';

/** Part of a URL. Each part leaves other characters unescaped. */
export type UrlPart = 'path' | 'host' | 'zone' | 'userPassword' | 'query' | 'fragment';

/** An invalid escape, or a character that a host cannot contain; the message is Go's. */
export class EscapeFailure extends Error {
  override readonly name = 'EscapeFailure';
}

/** Returns a text with its escapes decoded. Throws EscapeFailure. Source: Go net/url unescape. */
export function unescapeUrl(text: string, part: UrlPart): string {
  checkEscapes(text, part);
  const plain = part === 'query' ? text.replaceAll('+', ' ') : text;
  if (!plain.includes('%')) return plain;
  const bytes = Buffer.from(encodeUtf8Bytes(plain)).toString('latin1');
  const unescaped = bytes.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeUtf8Bytes(Buffer.from(unescaped, 'latin1'));
}

/** Returns a text with the escapes that the part needs. Source: Go net/url escape. */
export function escapeUrl(text: string, part: UrlPart): string {
  let out = '';
  for (const byte of encodeUtf8Bytes(text)) {
    const c = String.fromCharCode(byte);
    if (isKept(c, part)) out += c;
    else out += c === ' ' && part === 'query' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Returns whether a text is a possible escaped form of a path or fragment. Source: Go net/url validEncoded. */
export function isEncoded(text: string, part: 'path' | 'fragment'): boolean {
  return Array.from(text).every(c => "!$&'()*+,;=:@[]%".includes(c) || isKept(c, part));
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

/** Checks every escape, and in hosts every other ASCII character. */
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
  const invalid = () => new EscapeFailure(`invalid URL escape ${quote(firstBytes(text.slice(at, at + 4)))}`);
  if (!/^%[\da-fA-F]{2}$/.test(written)) throw invalid();
  if (written === '%25') return;
  const byte = Number.parseInt(written.slice(1), 16);
  // In a host only bytes beyond ASCII may be escaped.
  if (part === 'host' && byte < 0x80) throw invalid();
  const c = String.fromCharCode(byte);
  if (part === 'zone' && c !== ' ' && (byte >= 0x80 || !isKept(c, 'host'))) throw invalid();
}

function firstBytes(text: string): string {
  return decodeUtf8Bytes(encodeUtf8Bytes(text).subarray(0, 3));
}
