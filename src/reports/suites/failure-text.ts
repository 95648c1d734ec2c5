import type { CaseResult, TestFailure } from '../../suites/results.js';
import { placeOfFailure, placeText } from './places.js';

/** A failure as plain text: its place, what did not hold, and the diff or both values. No newline at the end. */
export function failureText(failure: TestFailure, result: Pick<CaseResult, 'place'>): string {
  const { check, message } = failure;
  return [`${placeText(placeOfFailure(failure, result))}: ${check}: ${message}`, ...differenceLines(failure)].join('\n');
}

/** The diff, or else both values; none when the message says it all. */
export function differenceLines({ expected, actual, diff }: TestFailure): string[] {
  if (diff !== undefined) return [diff.replace(/\n$/, '')];
  return [...(expected === undefined ? [] : [`expected: ${expected}`]), ...(actual === undefined ? [] : [`actual:   ${actual}`])];
}
