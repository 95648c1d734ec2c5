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
  const near = nearChanges(lines);
  const hunks: Line[][] = [];
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (near[index] !== true) open = false;
    else if (open) hunks.at(-1)?.push(line);
    else {
      hunks.push([line]);
      open = true;
    }
  }
  return hunks;
}

/** Says of each line if it is shown: it is at most three lines away from a change. */
function nearChanges(lines: readonly Line[]): readonly boolean[] {
  const near = lines.map(() => false);
  for (const [index, { mark }] of lines.entries()) if (mark !== ' ') near.fill(true, Math.max(0, index - context), index + context + 1);
  return near;
}

const context = 3;

function hunkText(lines: readonly Line[]): string {
  const first = lines[0];
  const [inA, inB] = [lines.filter(line => line.mark !== '+').length, lines.filter(line => line.mark !== '-').length];
  const range = (start: number, length: number): string =>
    length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`;
  const head = `@@ -${range(first?.a ?? 0, inA)} +${range(first?.b ?? 0, inB)} @@\n`;
  return head + lines.map(line => `${line.mark}${line.text}\n`).join('');
}

/** Block of lines in both texts: its start in each, and its length. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/**
 * Returns the matching blocks of two lists of lines, by Ratcliff and Obershelp: the longest one first, then on both sides of it. That is
 * not always the shortest diff. In lists of 200 or more lines, frequent lines do not start a block. Source: pmezard/go-difflib, after
 * Python's difflib.
 */
export function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = (aFrom: number, aTo: number, bFrom: number, bTo: number): void => {
    const match = longestMatch({ a, b, places }, { aFrom, aTo, bFrom, bTo });
    if (match.size === 0) return;
    if (aFrom < match.a && bFrom < match.b) search(aFrom, match.a, bFrom, match.b);
    found.push(match);
    const [aNext, bNext] = [match.a + match.size, match.b + match.size];
    if (aNext < aTo && bNext < bTo) search(aNext, aTo, bNext, bTo);
  };
  search(0, a.length, 0, b.length);
  return found;
}

const popularFrom = 200;

/** Returns the positions of each line in a list, without lines that are too frequent. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const most = Math.floor(lines.length / 100) + 1;
  if (lines.length >= popularFrom) for (const [line, at] of places) if (at.length > most) places.delete(line);
  return places;
}

interface Lists {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
}

interface Window {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** Returns the longest block within a window; of equally long ones the first. */
function longestMatch({ a, b, places }: Lists, { aFrom, aTo, bFrom, bTo }: Window): Match {
  let best: Match = { a: aFrom, b: bFrom, size: 0 };
  // Lengths of the blocks that end at a line of `b`, one further on; 0 for others.
  let [lengths, next] = [new Uint32Array(b.length + 1), new Uint32Array(b.length + 1)];
  let before: readonly number[] = [];
  for (let i = aFrom; i < aTo; i += 1) {
    const here = places.get(a[i] ?? '') ?? [];
    for (const j of here) {
      if (j < bFrom || j >= bTo) continue;
      const size = (lengths[j] ?? 0) + 1;
      next[j + 1] = size;
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    for (const j of before) lengths[j + 1] = 0;
    [lengths, next, before] = [next, lengths, here];
  }
  let { a: i, b: j, size } = best;
  for (; i > aFrom && j > bFrom && a[i - 1] === b[j - 1]; i -= 1, j -= 1) size += 1;
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size += 1;
  return { a: i, b: j, size };
}
