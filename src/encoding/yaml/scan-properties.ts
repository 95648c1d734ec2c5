import { decodeUtf8Bytes, encodeUtf8Bytes } from '../../go/utf8.js';
import {
  type Cursor,
  ensure,
  isBlankOrEnd,
  isBreakOrEnd,
  isDigit,
  isWordCharacter,
  isYamlBlank,
  isYamlBreak,
  type Mark,
  markOf,
  peek,
  readCharacter,
  skip,
  skipBlanks,
  skipComment,
  skipLine,
} from './cursor.js';
import { type NameToken, scannerError, type TagDirectiveToken, type TagToken, type VersionToken } from './tokens.js';

/** `&name` or `*name`. */
export function scanAnchor(cursor: Cursor, type: 'anchor' | 'alias'): NameToken {
  const start = markOf(cursor);
  skip(cursor);
  const name = scanWord(cursor);
  const code = peek(cursor);
  if (name === '' || !(isBlankOrEnd(code) || mayFollowAnchor.has(code))) {
    throw scannerError(cursor, start, 'did not find expected alphabetic or numeric character');
  }
  return { type, name, start, end: markOf(cursor) };
}

/** `!suffix`, `!!suffix`, `!handle!suffix`, `!<tag>` or a lone `!`. */
export function scanTag(cursor: Cursor): TagToken {
  const start = markOf(cursor);
  ensure(cursor, 2);
  let handle = '';
  let suffix = '';
  if (peek(cursor, 1) === 0x3c) {
    skip(cursor);
    skip(cursor);
    suffix = scanUri(cursor, '', start);
    if (peek(cursor) !== 0x3e) throw scannerError(cursor, start, "did not find the expected '>'");
    skip(cursor);
  } else {
    handle = scanHandle(cursor, start);
    if (handle.length > 1 && handle.endsWith('!')) {
      suffix = scanUri(cursor, '', start);
    } else {
      suffix = scanUri(cursor, handle, start);
      handle = '!';
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  ensure(cursor, 1);
  if (!isBlankOrEnd(peek(cursor))) throw scannerError(cursor, start, 'did not find expected whitespace or line break');
  return { type: 'tag', handle, suffix, start, end: markOf(cursor) };
}

/** `%YAML 1.1` or `%TAG !handle! prefix`, up to the end of its line. */
export function scanDirective(cursor: Cursor): VersionToken | TagDirectiveToken {
  const start = markOf(cursor);
  skip(cursor);
  const name = scanWord(cursor);
  if (name === '') throw scannerError(cursor, start, 'could not find expected directive name');
  if (!isBlankOrEnd(peek(cursor))) throw scannerError(cursor, start, 'found unexpected non-alphabetical character');
  if (name !== 'YAML' && name !== 'TAG') throw scannerError(cursor, start, 'found unknown directive name');
  const token = name === 'YAML' ? scanVersion(cursor, start) : scanTagDirective(cursor, start);
  skipBlanks(cursor);
  skipComment(cursor);
  if (!isBreakOrEnd(peek(cursor))) throw scannerError(cursor, start, 'did not find expected comment or line break');
  if (isYamlBreak(peek(cursor))) {
    ensure(cursor, 2);
    skipLine(cursor);
  }
  return token;
}

/** ? : , ] } % @ and the backtick */
const mayFollowAnchor = new Set([0x3f, 0x3a, 0x2c, 0x5d, 0x7d, 0x25, 0x40, 0x60]);

function scanWord(cursor: Cursor): string {
  const from = cursor.at;
  ensure(cursor, 1);
  while (isWordCharacter(peek(cursor))) {
    skip(cursor);
    ensure(cursor, 1);
  }
  return cursor.input.text.slice(from, cursor.at);
}

function scanVersion(cursor: Cursor, start: Mark): VersionToken {
  skipBlanks(cursor);
  const major = scanVersionNumber(cursor, start);
  if (peek(cursor) !== 0x2e) throw scannerError(cursor, start, "did not find expected digit or '.' character");
  skip(cursor);
  const minor = scanVersionNumber(cursor, start);
  return { type: 'version-directive', major, minor, start, end: markOf(cursor) };
}

function scanVersionNumber(cursor: Cursor, start: Mark): number {
  let digits = '';
  ensure(cursor, 1);
  while (isDigit(peek(cursor))) {
    if (digits.length === 2) throw scannerError(cursor, start, 'found extremely long version number');
    digits += readCharacter(cursor);
    ensure(cursor, 1);
  }
  if (digits === '') throw scannerError(cursor, start, 'did not find expected version number');
  return Number(digits);
}

function scanTagDirective(cursor: Cursor, start: Mark): TagDirectiveToken {
  skipBlanks(cursor);
  const handle = scanHandle(cursor, start);
  if (handle !== '!' && !(handle.length > 1 && handle.endsWith('!'))) throw scannerError(cursor, start, "did not find expected '!'");
  ensure(cursor, 1);
  if (!isYamlBlank(peek(cursor))) throw scannerError(cursor, start, 'did not find expected whitespace');
  skipBlanks(cursor);
  const prefix = scanUri(cursor, '', start);
  ensure(cursor, 1);
  if (!isBlankOrEnd(peek(cursor))) throw scannerError(cursor, start, 'did not find expected whitespace or line break');
  return { type: 'tag-directive', handle, prefix, start, end: markOf(cursor) };
}

function scanHandle(cursor: Cursor, start: Mark): string {
  ensure(cursor, 1);
  if (peek(cursor) !== 0x21) throw scannerError(cursor, start, "did not find expected '!'");
  const handle = readCharacter(cursor) + scanWord(cursor);
  return peek(cursor) === 0x21 ? handle + readCharacter(cursor) : handle;
}

/** Scans the characters of a URI, with escapes decoded, after the part that was already scanned (without its `!`). */
function scanUri(cursor: Cursor, head: string, start: Mark): string {
  const bytes: Uint8Array[] = [];
  const from = cursor.at;
  ensure(cursor, 1);
  for (let code = peek(cursor); isWordCharacter(code) || uriCharacters.has(code); code = peek(cursor)) {
    bytes.push(code === 0x25 ? scanUriEscapes(cursor, start) : encodeUtf8Bytes(readCharacter(cursor)));
    ensure(cursor, 1);
  }
  if (head === '' && cursor.at === from) throw scannerError(cursor, start, 'did not find expected tag URI');
  return head.slice(1) + decodeUtf8Bytes(Buffer.concat(bytes));
}

const uriCharacters = new Set([...";/?:@&=+$,.!~*'()[]%"].map(c => c.charCodeAt(0)));

/** Scans as many `%XX` as the first byte of the UTF-8 character requires. */
function scanUriEscapes(cursor: Cursor, start: Mark): Uint8Array {
  const bytes: number[] = [];
  let width = 1;
  while (bytes.length < width) {
    ensure(cursor, 3);
    const digits = /^%([0-9a-fA-F]{2})$/.exec(cursor.input.text.slice(cursor.at, cursor.at + 3))?.[1];
    if (digits === undefined) throw scannerError(cursor, start, 'did not find URI escaped octet');
    const octet = Number.parseInt(digits, 16);
    if (bytes.length === 0) {
      width = octet < 0x80 ? 1 : octet < 0xc0 ? 0 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : octet < 0xf8 ? 4 : 0;
      if (width === 0) throw scannerError(cursor, start, 'found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) {
      throw scannerError(cursor, start, 'found an incorrect trailing UTF-8 octet');
    }
    bytes.push(octet);
    skip(cursor);
    skip(cursor);
    skip(cursor);
  }
  return Uint8Array.from(bytes);
}
