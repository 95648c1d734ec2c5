/** Returns the value of a Go string literal; undefined if it is invalid. Source: strconv.Unquote. */
export function unquote(literal: string): string | undefined {
  if (literal.startsWith('`')) return literal.slice(1, -1).replaceAll('\r', '');
  let isValid = true;
  const text = literal
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs, (_, x, u, wide, octal, single) => {
      if (x !== undefined || octal !== undefined) {
        const byte = x === undefined ? Number.parseInt(octal, 8) : Number.parseInt(x, 16);
        return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
      }
      if (u !== undefined || wide !== undefined) return String.fromCodePoint(Number.parseInt(u ?? wide, 16));
      const known = escapes[single];
      if (known === undefined || (single === "'" && literal.startsWith('"')) || (single === '"' && literal.startsWith("'")))
        isValid = false;
      return known ?? '';
    });
  return isValid ? text : undefined;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
