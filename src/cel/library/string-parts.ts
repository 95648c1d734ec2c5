/** Replaces the first n occurrences, or all if n is negative. An empty string occurs before every character. Source: strings.Replace. */
export function replaceFirst(text: string, [old, by]: readonly [string, string], n: bigint): string {
  if (old === by || n === 0n) return text;
  const max = n < 0n ? Number.POSITIVE_INFINITY : Number(n);
  if (old === '') return insertBetween(text, by, max);
  let out = '';
  let from = 0;
  for (let count = 0; count < max; count += 1) {
    const at = text.indexOf(old, from);
    if (at < 0) break;
    out += text.slice(from, at) + by;
    from = at + old.length;
  }
  return out + text.slice(from);
}

/** Splits into at most n parts, all if n is negative, none if n is 0; an empty separator splits into characters. Source: strings.SplitN. */
export function splitText(text: string, separator: string, n: bigint): string[] {
  if (n === 0n) return [];
  const max = n < 0n ? Number.POSITIVE_INFINITY : Number(n);
  if (separator === '') {
    const characters = Array.from(text);
    if (characters.length <= max) return characters;
    return [...characters.slice(0, max - 1), characters.slice(max - 1).join('')];
  }
  const parts: string[] = [];
  let from = 0;
  while (parts.length < max - 1) {
    const at = text.indexOf(separator, from);
    if (at < 0) break;
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...parts, text.slice(from)];
}

function insertBetween(text: string, by: string, max: number): string {
  const characters = Array.from(text);
  let out = '';
  let count = 0;
  for (const character of characters) {
    if (count < max) {
      out += by;
      count += 1;
    }
    out += character;
  }
  return count < max ? out + by : out;
}
