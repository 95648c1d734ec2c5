/**
 * Text from bytes as Go's decoder sees them: every byte that is not part of valid UTF-8 is one U+FFFD. A byte order mark
 * stays: Go's JSON reader refuses it. Source: Go unicode/utf8.
 */
export function decodeGoUtf8(bytes: Uint8Array): string {
  const text = decodeValid(bytes);
  return text ?? decodeBytes(bytes, () => '\ufffd');
}

/**
 * Text from bytes without loss: a byte b that is not part of valid UTF-8 becomes the lone surrogate U+DC00 + b. Go keeps such bytes in
 * its strings and replaces them only where it decodes or writes; `goString` and the JSON reader do the same with these surrogates.
 */
export function decodeUtf8Bytes(bytes: Uint8Array): string {
  const text = decodeValid(bytes);
  return text ?? decodeBytes(bytes, byte => String.fromCharCode(0xdc00 + byte));
}

/** The bytes of a text; a lone surrogate that stands for a byte (see `decodeUtf8Bytes`) gives that byte, any other U+FFFD. */
export function encodeUtf8Bytes(text: string): Uint8Array {
  if (!loneSurrogate.test(text)) return new TextEncoder().encode(text);
  const parts = text.split(byteSurrogates).map((part, i) => {
    if (i % 2 === 0) return new TextEncoder().encode(part);
    return Uint8Array.from(part, unit => unit.charCodeAt(0) - 0xdc00);
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** The text as JSON can hold it: every lone surrogate is U+FFFD. */
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

function decodeBytes(bytes: Uint8Array, replace: (byte: number) => string): string {
  const parts: string[] = [];
  let validFrom = 0;
  let at = 0;
  const takeValid = () => {
    if (at > validFrom) parts.push(fatal.decode(bytes.subarray(validFrom, at)));
  };
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    takeValid();
    parts.push(replace(bytes[at] ?? 0));
    at += 1;
    validFrom = at;
  }
  takeValid();
  return parts.join('');
}

/** The length of the valid UTF-8 sequence at an offset; 0 when there is none. */
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

/** First bytes behind which not every continuation byte may stand: overlong forms, surrogates, beyond U+10FFFF. */
const secondBytes = new Map<number, readonly [number, number]>([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
