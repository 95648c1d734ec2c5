/** A place in a file, counted from 1; columns count characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Answers for offsets in one text. Lines end as YAML has it: at CR, LF, both, NEL, U+2028 and U+2029. The lines are looked for once, when first asked. */
export function placesIn(text: string): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return offset => {
    starts ??= lineStarts(text);
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: [...text.slice(starts[line], offset)].length + 1 };
  };
}

const lineBreaks = /\r\n|[\n\r\x85\u2028\u2029]/g;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(lineBreaks)) starts.push(match.index + match[0].length);
  return starts;
}

/** The index of the last number that is not above a limit; the numbers rise from 0. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
