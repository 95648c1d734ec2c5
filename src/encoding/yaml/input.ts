import { encodeUtf8Bytes } from '../../go/utf8.js';

/** Characters of a YAML text, up to the first forbidden one. */
export interface YamlInput {
  readonly text: string;
  /**
   * Numbers of characters after each portion that go-yaml reads at once; undefined if portions make no difference. They do if a character
   * is forbidden (an error when its portion is read, before errors in earlier tokens) and if a byte order mark is inside the text.
   */
  readonly portions?: readonly number[];
  /** Error in the portion after the last one. */
  readonly fault?: string;
}

/**
 * Removes the byte order mark and finds forbidden characters. Bytes that are not UTF-8 may be lone surrogates (see decodeUtf8Bytes).
 * Source: go-yaml v2 readerc.go.
 */
export function yamlInputOf(text: string): YamlInput {
  if (utf16Mark.test(text)) return readPortions(encodeUtf8Bytes(text));
  const unmarked = text.startsWith('\ufeff') ? text.slice(1) : text;
  return needsPortions.test(unmarked) ? readPortions(encodeUtf8Bytes(text)) : { text: unmarked };
}

const utf16Mark = /^(?:\udcff\udcfe|\udcfe\udcff)/;
/** Forbidden characters, and the byte order mark. */
const needsPortions = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
const portionSize = 512;

interface Decoding {
  readonly bytes: Uint8Array;
  readonly characters: number[];
  /** Decoded bytes, read bytes, and whether the end has been read. */
  at: number;
  read: number;
  ended: boolean;
}

type Decoder = (decoding: Decoding) => Step;

/** A character and its width in bytes; an error; or undefined if the rest of the character is in the next portion. */
type Step = { readonly code: number; readonly width: number } | { readonly fault: string } | undefined;

function readPortions(bytes: Uint8Array): YamlInput {
  const decoding: Decoding = { bytes, characters: [], at: 0, read: Math.min(portionSize, bytes.length), ended: bytes.length < 3 };
  const [first, second, third] = bytes;
  let decoder: Decoder = utf8Step;
  if (first === 0xff && second === 0xfe) decoder = d => utf16Step(d, 0);
  else if (first === 0xfe && second === 0xff) decoder = d => utf16Step(d, 1);
  if (decoder !== utf8Step) decoding.at = 2;
  else if (first === 0xef && second === 0xbb && third === 0xbf) decoding.at = 3;
  const portions: number[] = [];
  for (;;) {
    const fault = readPortion(decoding, decoder);
    if (fault !== undefined) return { text: charactersText(decoding.characters), portions, fault };
    portions.push(decoding.characters.length);
    if (decoding.ended) return { text: charactersText(decoding.characters), portions };
    if (decoding.read === bytes.length) decoding.ended = true;
    else decoding.read = Math.min(decoding.at + portionSize, bytes.length);
  }
}

function readPortion(decoding: Decoding, decoder: Decoder): string | undefined {
  while (decoding.at < decoding.read) {
    const step = decoder(decoding);
    if (step === undefined) return undefined;
    if ('fault' in step) return step.fault;
    if (!isAllowed(step.code)) return 'control characters are not allowed';
    decoding.characters.push(step.code);
    decoding.at += step.width;
  }
  return undefined;
}

function charactersText(characters: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < characters.length; i += 4096) parts.push(String.fromCodePoint(...characters.slice(i, i + 4096)));
  return parts.join('');
}

function isAllowed(code: number): boolean {
  if (code < 0x7f) return code >= 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
  return code === 0x85 || (code >= 0xa0 && code !== 0xfffe && code !== 0xffff);
}

function utf8Step({ bytes, at, read, ended }: Decoding): Step {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { code: first, width: 1 };
  const width = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  if (width === 0) return { fault: 'invalid leading UTF-8 octet' };
  if (at + width > read) return ended ? { fault: 'incomplete UTF-8 octet sequence' } : undefined;
  let code = first & (0xff >> (width + 1));
  for (let i = 1; i < width; i += 1) {
    const octet = bytes[at + i] ?? 0;
    if ((octet & 0xc0) !== 0x80) return { fault: 'invalid trailing UTF-8 octet' };
    code = (code << 6) + (octet & 0x3f);
  }
  if (code < (smallest[width] ?? 0)) return { fault: 'invalid length of a UTF-8 sequence' };
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return { fault: 'invalid Unicode character' };
  return { code, width };
}

/** The smallest code point for each number of bytes. */
const smallest = [0, 0, 0x80, 0x800, 0x10000];

/** `low` is the index of the lower byte in a pair: 0 if it comes first. */
function utf16Step({ bytes, at, read, ended }: Decoding, low: 0 | 1): Step {
  if (at + 2 > read) return ended ? { fault: 'incomplete UTF-16 character' } : undefined;
  const unitAt = (offset: number) => (bytes[offset + low] ?? 0) + ((bytes[offset + 1 - low] ?? 0) << 8);
  const unit = unitAt(at);
  if ((unit & 0xfc00) === 0xdc00) return { fault: 'unexpected low surrogate area' };
  if ((unit & 0xfc00) !== 0xd800) return { code: unit, width: 2 };
  if (at + 4 > read) return ended ? { fault: 'incomplete UTF-16 surrogate pair' } : undefined;
  const second = unitAt(at + 2);
  if ((second & 0xfc00) !== 0xdc00) return { fault: 'expected low surrogate area' };
  return { code: 0x10000 + ((unit & 0x3ff) << 10) + (second & 0x3ff), width: 4 };
}
