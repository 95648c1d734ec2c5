import { atoi } from '../../go/parse-integer.js';

/** One `%...` clause of a format string. */
export interface Clause {
  readonly letter: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number | undefined;
}

/** An error, and the node id of the expression if known. */
export interface FormatFailure {
  readonly error: string;
  readonly id?: number | undefined;
}

export interface FormatArguments {
  readonly count: number;
  /** The checker assumes that every argument exists until it is needed; at run time it must exist from the start. */
  readonly checkedEarly: boolean;
  readonly format: (clause: Clause, index: number) => string | FormatFailure;
}

/** Formats arguments by a format string. Works on bytes, as Go does. Source: cel-go ext/formatting.go parseFormatString. */
export function parseFormat(text: string, args: FormatArguments): string | FormatFailure {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  let at = 0;
  let used = 0;
  while (at < bytes.length) {
    const next = bytes.indexOf(percent, at);
    if (next !== at) {
      parts.push(bytes.subarray(at, next < 0 ? undefined : next));
      at = next < 0 ? bytes.length : next;
      continue;
    }
    if (bytes[at + 1] === percent) {
      parts.push(bytes.subarray(at, at + 1));
      at += 2;
      continue;
    }
    const formatted = formatOne(bytes.subarray(at + 1), args, used);
    if ('error' in formatted) return formatted;
    parts.push(Buffer.from(formatted.text));
    at += 1 + formatted.length;
    used += 1;
  }
  return Buffer.concat(parts).toString();
}

const percent = 0x25;
const letters: ReadonlySet<string> = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o']);

type Formatted = { readonly text: string; readonly length: number } | FormatFailure;

function formatOne(rest: Buffer, args: FormatArguments, index: number): Formatted {
  const outOfRange = { error: `index ${index} out of range` };
  if (args.checkedEarly && index >= args.count) return outOfRange;
  if (rest.length === 0) return { error: 'unexpected end of string' };
  if (index >= args.count) return outOfRange;
  const clause = parseClause(rest);
  if ('error' in clause) return { error: `could not parse formatting clause: ${clause.error}` };
  const text = args.format(clause.clause, index);
  if (typeof text !== 'string') return { error: `error during formatting: ${text.error}`, id: text.id };
  return { text, length: clause.length };
}

function parseClause(rest: Buffer): { readonly clause: Clause; readonly length: number } | { readonly error: string } {
  const precision = parsePrecision(rest);
  if ('error' in precision) return { error: `error while parsing precision: ${precision.error}` };
  const letter = String.fromCharCode(rest[precision.length] ?? 0);
  if (!isLetter(letter)) return { error: `unrecognized formatting clause "${letter}"` };
  return { clause: { letter, precision: precision.value }, length: precision.length + 1 };
}

function parsePrecision(rest: Buffer): { readonly value: number | undefined; readonly length: number } | { readonly error: string } {
  if (rest[0] !== 0x2e) return { value: undefined, length: 0 };
  const text = rest.toString('latin1');
  const digits = /^\.(\d*)/.exec(text)?.[1] ?? '';
  if (text.length === digits.length + 1) return { error: 'could not find end of precision specifier' };
  const value = atoi(digits);
  if (typeof value === 'object') return { error: `error while converting precision to integer: ${value.error}` };
  return { value: Number(value), length: digits.length + 1 };
}

function isLetter(letter: string): letter is Clause['letter'] {
  return letters.has(letter);
}
