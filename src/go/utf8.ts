/**
 * Decodes bytes as Go's decoder sees them: every byte that is not part of valid UTF-8 is one U+FFFD. A byte order mark
 * stays: Go's JSON reader refuses it. Source: Go unicode/utf8.
 */
export function decodeGoUtf8(bytes: Uint8Array): string {
  return decodeValid(bytes) ?? decodeBytes(bytes, () => 0xfffd);
}

/**
 * Decodes bytes without loss: a byte b that is not part of valid UTF-8 becomes the lone surrogate U+DC00 + b. Go keeps such bytes in
 * its strings and replaces them only where it decodes or writes; `goString` and the JSON reader do the same with these surrogates.
 */
export function decodeUtf8Bytes(bytes: Uint8Array): string {
  return decodeValid(bytes) ?? decodeBytes(bytes, byte => 0xdc00 + byte);
}

/** Returns the bytes of a text; a lone surrogate for a byte (see `decodeUtf8Bytes`) gives that byte, any other one U+FFFD. */
export function encodeUtf8Bytes(text: string): Uint8Array {
  if (!loneSurrogate.test(text)) return new TextEncoder().encode(text);
  const parts = text.split(byteSurrogates).map((part, i) => {
    if (i % 2 === 0) return new TextEncoder().encode(part);
    return Uint8Array.from(part, unit => unit.charCodeAt(0) - 0xdc00);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns the text as JSON can hold it: every lone surrogate is U+FFFD. */
export function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replace(/\p{Cs}/gu, '\ufffd') : text;
}

const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loneSurrogate = /[\ud800-\udfff]/;
const byteSurrogates = /((?<![\ud800-\udbff])[\udc80-\udcff]+)/;

function decodeValid(bytes: Uint8Array): string | undefined {
  try {
    return fatal.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes byte by byte; `invalid` returns the UTF-16 unit for a byte that is not part of valid UTF-8. */
function decodeBytes(bytes: Uint8Array, invalid: (byte: number) => number): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    const code = size === 0 ? invalid(bytes[at] ?? 0) : codePointAt(bytes, at, size);
    if (code > 0xffff) {
      units[length] = 0xd7c0 + (code >> 10);
      length += 1;
    }
    units[length] = code > 0xffff ? 0xdc00 | (code & 0x3ff) : code;
    length += 1;
    at += Math.max(size, 1);
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

/** Returns the code point of a valid sequence. */
function codePointAt(bytes: Uint8Array, at: number, size: number): number {
  const first = bytes[at] ?? 0;
  if (size === 1) return first;
  let code = first & (0xff >> (size + 1));
  for (let i = 1; i < size; i += 1) code = (code << 6) | ((bytes[at + i] ?? 0) & 0x3f);
  return code;
}

/** Returns the length of the valid UTF-8 sequence at an offset; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i += 1) {
    if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  const bounds = secondBytes.get(first);
  return bounds === undefined || (second >= bounds[0] && second <= bounds[1]) ? length : 0;
}

/** First bytes that restrict the second byte: overlong forms, surrogates, beyond U+10FFFF. */
const secondBytes = new Map<number, readonly [number, number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
