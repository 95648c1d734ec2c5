/**
 * A text in double quotes as Go's `%q` prints it: what cannot be printed becomes an escape, other scripts stay.
 * Source: strconv.Quote.
 */
export function quote(text: string): string {
  let out = '"';
  for (const character of text) out += escapes.get(character) ?? (isPrintable(character) ? character : numeric(character));
  return `${out}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** Letters, marks, numbers, punctuation, symbols and the plain space. Source: unicode.IsPrint. */
function isPrintable(character: string): boolean {
  return character === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

function numeric(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  // Half a surrogate pair has no UTF-8: Go would hold the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
