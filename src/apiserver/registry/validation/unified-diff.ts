import { matchingBlocks } from './sequence-matcher.js';

/** Returns a unified diff of two texts with three lines of context, without file headers. Source: apimachinery util/diff. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return hunksOf(changesOf(a, b)).map(hunkText).join('');
}

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** Number of the line in each text, from 0. */
  readonly a: number;
  readonly b: number;
}

/** Returns the changes from one to the other; between common lines, removals come first. */
function changesOf(a: readonly string[], b: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matchingBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    for (; i < match.a; i += 1) lines.push({ mark: '-', text: a[i] ?? '', a: i, b: j });
    for (; j < match.b; j += 1) lines.push({ mark: '+', text: b[j] ?? '', a: i, b: j });
    for (const end = match.a + match.size; i < end; i += 1, j += 1) lines.push({ mark: ' ', text: a[i] ?? '', a: i, b: j });
  }
  return lines;
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
