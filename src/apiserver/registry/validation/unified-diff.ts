/** The differences of two texts, line by line with three lines around each, without the headers of files. Source: k8s.io/utils/diff. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return hunksOf(changesOf(a, b)).map(hunkText).join('');
}

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** The line's number in each text, from 0. */
  readonly a: number;
  readonly b: number;
}

/** The shortest way from one to the other; removals come first. */
function changesOf(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (from: number, to: number, shift: number): Line[] =>
    a.slice(from, to).map((text, index) => ({ mark: ' ' as const, text, a: from + index, b: from + index + shift }));
  const middle = middleChanges(a.slice(start, a.length - end), b.slice(start, b.length - end)).map(line => ({
    ...line,
    a: line.a + start,
    b: line.b + start,
  }));
  return [...same(0, start, 0), ...middle, ...same(a.length - end, a.length, b.length - a.length)];
}

function middleChanges(a: readonly string[], b: readonly string[]): Line[] {
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ mark: ' ', text: left, a: i, b: j });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ mark: '-', text: left, a: i, b: j });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ mark: '+', text: right, a: i, b: j });
      j += 1;
    }
  }
  return lines;
}

function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [row, below] = [table[i] ?? [], table[i + 1] ?? []];
    for (let j = b.length - 1; j >= 0; j -= 1) row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return table;
}

function hunksOf(lines: readonly Line[]): Line[][] {
  const near = (index: number): boolean => lines.slice(Math.max(0, index - 3), index + 4).some(line => line.mark !== ' ');
  const hunks: Line[][] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (!near(index)) open = false;
    else if (open) hunks.at(-1)?.push(line);
    else {
      hunks.push([line]);
      open = true;
    }
  }
  return hunks;
}

function hunkText(lines: readonly Line[]): string {
  const first = lines[0];
  const [inA, inB] = [lines.filter(line => line.mark !== '+').length, lines.filter(line => line.mark !== '-').length];
  const range = (start: number, length: number): string =>
    length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
  const head = `@@ -${range(first?.a ?? 0, inA)} +${range(first?.b ?? 0, inB)} @@\n`;
  return head + lines.map(line => `${line.mark}${line.text}\n`).join('');
}
