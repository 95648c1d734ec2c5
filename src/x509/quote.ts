/**
 * A text in quotes as Go's `%q` writes it: double quotes, Go's escapes, printable Unicode as it is, bytes that are no
 * UTF-8 as `\xNN`. Source: strconv.Quote.
 */
export function quote(text: string | Uint8Array): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  let quoted = '"';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    const character = length === 0 ? undefined : Buffer.from(bytes.subarray(at, at + length)).toString('utf8');
    quoted += character === undefined ? `\\x${hex(bytes[at] ?? 0, 2)}` : escaped(character);
    at += Math.max(length, 1);
  }
  return `${quoted}"`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** What Go prints as it is: letters, marks, numbers, punctuation, symbols, and of the spaces the ASCII one. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** How many bytes the UTF-8 sequence at this place has; 0 when it is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  for (let i = 1; i < length; i += 1) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  const overlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const outside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}
