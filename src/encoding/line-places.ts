/** Position in a file, counted from 1; columns count characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns a function from offsets of a text to positions. Lines end as in YAML: at CR, LF, CRLF, NEL, U+2028 and U+2029. They are indexed
 * on the first call.
 */
export function placesIn(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  // A line may be as long as the file and be asked about item by item, so counting continues from the last offset.
  let last = { start: -1, offset: 0, characters: 0 };
  return offset => {
    if (offset === 0) return { line: 1, column: 1 };
    starts ??= lineStarts(text);
    const line = lastAtMost(starts, offset);
    const start = starts[line] ?? 0;
    const from = last.start === start && last.offset <= offset ? last : { start, offset: start, characters: 0 };
    last = { start, offset, characters: from.characters + charactersIn(text, from.offset, offset) };
    return { line: line + 1, column: last.characters + 1 };
  };
}

function charactersIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

const lineBreaks = /\r\n|[\n\r\x85\u2028\u2029]/g;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(lineBreaks)) starts.push(match.index + match[0].length);
  return starts;
}

/** Returns the index of the last number that does not exceed a limit; the numbers rise from 0. */
export function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
