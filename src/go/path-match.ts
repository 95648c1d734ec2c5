/** Go's filepath.ErrBadPattern. */
export class BadPattern extends Error {
  constructor() {
    super('syntax error in pattern');
  }
}

/**
 * Reports whether a name without separators matches a pattern with `*`, `?`, `[...]` and `\\`. Throws BadPattern. The time is at most the product of both
 * lengths times the number of stars. Source: path/filepath/match.go.
 */
export function matchesName(pattern: string, name: string): boolean {
  let rest = [...name];
  let left = [...pattern];
  while (left.length > 0) {
    const { hasStar, chunk, after } = nextChunk(left);
    left = after;
    // A trailing star matches everything.
    if (hasStar && chunk.length === 0) return true;
    const direct = matchChunk(chunk, rest);
    if (direct !== undefined && (direct.length === 0 || left.length > 0)) {
      rest = direct;
      continue;
    }
    const skipped = hasStar ? afterSkipping(chunk, rest, left.length === 0) : undefined;
    if (skipped === undefined) {
      checkRest(left);
      return false;
    }
    rest = skipped;
  }
  return rest.length === 0;
}

/** Reports whether a path has characters of patterns. Source: path/filepath/match.go hasMeta, on Windows. */
export function hasPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

type Characters = readonly string[];

function nextChunk(pattern: Characters): { readonly hasStar: boolean; readonly chunk: Characters; readonly after: string[] } {
  const start = pattern.findIndex(character => character !== '*');
  const text = start < 0 ? [] : pattern.slice(start);
  let inRange = false;
  let end = 0;
  for (; end < text.length; end += 1) {
    const character = text[end];
    if (character === '\\') end += 1;
    else if (character === '[') inRange = true;
    else if (character === ']') inRange = false;
    else if (character === '*' && !inRange) break;
  }
  return { hasStar: start !== 0, chunk: text.slice(0, end), after: text.slice(end) };
}

/** The first match decides: a later one could not match more. */
function afterSkipping(chunk: Characters, rest: Characters, isLast: boolean): string[] | undefined {
  for (let skipped = 1; skipped <= rest.length; skipped += 1) {
    const matched = matchChunk(chunk, rest.slice(skipped));
    if (matched !== undefined && (!isLast || matched.length === 0)) return matched;
  }
  return undefined;
}

/** Later parts of a pattern are checked even if the name does not match. */
function checkRest(pattern: Characters): void {
  for (let left = pattern; left.length > 0; ) {
    const { chunk, after } = nextChunk(left);
    matchChunk(chunk, []);
    left = after;
  }
}

/** Returns what is left of the name; undefined if it does not match. */
function matchChunk(chunk: Characters, name: Characters): string[] | undefined {
  let at = 0;
  let failed = false;
  for (let i = 0; i < chunk.length; ) {
    failed ||= at >= name.length;
    const character = chunk[i];
    if (character === '[') {
      const range = readRange(chunk, i + 1, failed ? undefined : name[at]);
      failed ||= !range.matches;
      i = range.end;
    } else {
      if (character === '\\') i += 1;
      if (i >= chunk.length) throw new BadPattern();
      failed ||= (character !== '?' && chunk[i] !== name[at]) || name[at] === '/';
      i += 1;
    }
    at += 1;
  }
  return failed ? undefined : name.slice(at);
}

function readRange(chunk: Characters, start: number, character: string | undefined): { readonly matches: boolean; readonly end: number } {
  const isNegated = chunk[start] === '^';
  let at = isNegated ? start + 1 : start;
  let matches = false;
  for (let count = 0; count === 0 || chunk[at] !== ']'; count += 1) {
    const low = readEscaped(chunk, at);
    const high = chunk[low.end] === '-' ? readEscaped(chunk, low.end + 1) : low;
    matches ||= character !== undefined && low.code <= codeOf(character) && codeOf(character) <= high.code;
    at = high.end;
  }
  return { matches: matches !== isNegated, end: at + 1 };
}

function readEscaped(chunk: Characters, start: number): { readonly code: number; readonly end: number } {
  const first = chunk[start];
  if (first === undefined || first === '-' || first === ']') throw new BadPattern();
  const at = first === '\\' ? start + 1 : start;
  const character = chunk[at];
  // The bracket has to be closed.
  if (character === undefined || at + 1 >= chunk.length) throw new BadPattern();
  return { code: codeOf(character), end: at + 1 };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
