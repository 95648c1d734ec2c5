/** Not valid standard base64; the message is Go's: `illegal base64 data at input byte 4`. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';

  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
  }
}

/**
 * Decodes standard base64 with padding. Line breaks are allowed anywhere, trailing bits are ignored. Throws Base64Error. Source: Go
 * encoding/base64 StdEncoding.Decode.
 */
export function decodeGoBase64(text: string): Uint8Array {
  const source = Buffer.from(text, 'utf8');
  let at = 0;
  while (at < source.length) {
    const next = checkQuantum(source, at);
    if (next === undefined) break;
    at = next;
  }
  return Buffer.from(text.replaceAll(/[\r\n]/g, ''), 'base64');
}

/** Decodes base64 for URLs, without padding. Line breaks are allowed anywhere. Throws Base64Error. Source: Go encoding/base64 RawURLEncoding. */
export function decodeRawUrlBase64(text: string): Uint8Array {
  const invalid = text.search(/[^A-Za-z0-9_\r\n-]/);
  if (invalid >= 0) throw new Base64Error(Buffer.byteLength(text.slice(0, invalid)));
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (digits.length % 4 === 1) throw new Base64Error(text.length - 1);
  return Buffer.from(digits, 'base64url');
}

/** Encodes standard base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Checks four digits from an offset on and returns the start of the next four; undefined after the padding. */
function checkQuantum(source: Uint8Array, from: number): number | undefined {
  let at = from;
  for (let digits = 0; digits < 4; ) {
    if (at === source.length) {
      if (digits === 0) return undefined;
      throw new Base64Error(at - digits);
    }
    const byte = source[at] ?? 0;
    at += 1;
    if (isLineBreak(byte)) continue;
    if (isDigit(byte)) {
      digits += 1;
      continue;
    }
    if (byte !== padding || digits < 2) throw new Base64Error(at - 1);
    checkEnd(source, at, digits);
    return undefined;
  }
  return at;
}

/** Checks the text after the first padding character: the second one after two digits, then nothing. */
function checkEnd(source: Uint8Array, from: number, digits: number): void {
  let at = from;
  if (digits === 2) {
    at = skipLineBreaks(source, at);
    if (at === source.length) throw new Base64Error(at);
    if (source[at] !== padding) throw new Base64Error(at - 1);
    at += 1;
  }
  at = skipLineBreaks(source, at);
  if (at < source.length) throw new Base64Error(at);
}

function skipLineBreaks(source: Uint8Array, from: number): number {
  let at = from;
  while (at < source.length && isLineBreak(source[at] ?? 0)) at += 1;
  return at;
}

const padding = 0x3d;

function isLineBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isDigit(byte: number): boolean {
  return (
    (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2f
  );
}
