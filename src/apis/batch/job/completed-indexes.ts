import { quote } from '../../../go/quote.js';

/** Validates a list of a job's indexes such as `0,2-4,7`; undefined when it is valid. Source: batch/validation validateIndexesFormat. */
export function indexesProblem(text: string, completions: number): string | undefined {
  const count = countIndexes(text, completions);
  return typeof count === 'string' ? count : undefined;
}

/** Returns the number of indexes in such a list, or why it is invalid. */
export function countIndexes(text: string, completions: number): bigint | string {
  if (text === '') return 0n;
  let last: number | undefined;
  let count = 0n;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return interval;
    if (last !== undefined && last >= interval.from) return `non-increasing order, previous: ${last}, current: ${interval.from}`;
    count += BigInt(interval.to - interval.from + 1);
    last = interval.to;
  }
  return count;
}

/** Returns the error for the first index that both lists contain. Source: batch/validation validateFailedIndexesNotOverlapCompleted. */
export function completedAndFailedProblem(completed: string, failed: string, completions: number): string | undefined {
  if (completed === '' || failed === '') return undefined;
  // Invalid lists are reported elsewhere.
  const read = (text: string): Interval[] =>
    text
      .split(',')
      .map(part => intervalOf(part, completions))
      .filter(i => typeof i !== 'string');
  const [done, lost] = [read(completed), read(failed)];
  let [d, f] = [0, 0];
  for (let [a, b] = [done[d], lost[f]]; a !== undefined && b !== undefined; [a, b] = [done[d], lost[f]]) {
    if (a.from <= b.to && b.from <= a.to) return `failedIndexes and completedIndexes overlap at index: ${Math.max(a.from, b.from)}`;
    if (a.from <= b.from) d += 1;
    else f += 1;
  }
  return undefined;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Source: batch/validation parseIndexInterval. */
function intervalOf(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  if (parts.length > 2)
    return `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^[+-]?[0-9]+$/.test(part) || Math.abs(Number(part)) >= 2 ** 63)
      return `cannot convert string to integer for index: ${quote(part)}`;
    const number = Number(part);
    if (number >= completions) return `too large index: ${quote(part)}`;
    numbers.push(number);
  }
  const [from = 0, to = from] = numbers;
  return parts.length > 1 && from >= to ? `non-increasing order, previous: ${from}, current: ${to}` : { from, to };
}
