import type { Place } from './place.js';
import type { CaseOutput, TestFailure } from './results.js';

/** A suite file that cannot be used: a mistake of the user's. */
export class InvalidSuite extends Error {
  override readonly name = 'InvalidSuite';
  readonly place: Place;
  readonly suggestions: readonly string[];
  /** A word that nobody knows, and those that are known there. */
  readonly unknown: { readonly word: string; readonly known: readonly string[] } | undefined;

  constructor(
    message: string,
    place: Place,
    { suggestions = [], unknown }: { readonly suggestions?: readonly string[]; readonly unknown?: InvalidSuite['unknown'] } = {},
  ) {
    super(message);
    this.place = place;
    this.suggestions = suggestions;
    this.unknown = unknown;
  }
}

/** Why there is no such case: what it is about does not have it. */
export class CaseSkip extends Error {
  override readonly name = 'CaseSkip';
}

/** Why a case, or a whole suite, could not be judged: its calls could not be made. */
export class CaseFault extends Error {
  override readonly name = 'CaseFault';
  readonly failure: TestFailure;
  /** What was made all the same. */
  readonly output: CaseOutput;

  constructor(failure: TestFailure, { output = { calls: [] }, cause }: { readonly output?: CaseOutput; readonly cause?: unknown } = {}) {
    super(failure.message, { cause });
    this.failure = failure;
    this.output = output;
  }
}
