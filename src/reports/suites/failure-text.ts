import type { CaseResult, TestFailure } from '../../suites/results.js';
import { placeOfFailure, placeText } from './places.js';

/** A failure as plain text: its position, its message, and the diff or both values. No trailing newline. */
export function failureText(failure: TestFailure, result: Pick<CaseResult, 'place'>): string {
  const { check, message } = failure;
  return [`${placeText(placeOfFailure(failure, result))}: ${check}: ${message}`, ...differenceLines(failure)].join('\n');
}

/** The diff, or else both values; empty if the message contains everything. */
export function differenceLines({ expected, actual, diff }: TestFailure): string[] {
  if (diff !== undefined) return [diff.replace(/\n$/, '')];
  return [...(expected === undefined ? [] : [`expected: ${expected}`]), ...(actual === undefined ? [] : [`actual:   ${actual}`])];
}
