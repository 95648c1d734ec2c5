import type { SuitePlace } from './place.js';
import type { CaseOutput, TestFailure } from './results.js';

/** An invalid suite file: a user error. */
export class InvalidSuite extends Error {
  override readonly name = 'InvalidSuite';
  readonly place: SuitePlace;
  readonly suggestions: readonly string[];
  /** JSON pointer to what is invalid; undefined for syntax errors and duplicate names. */
  readonly pointer: string | undefined;
  /** Further errors of the same file, in the order of their places. */
  readonly others: readonly InvalidSuite[];
  /** An unknown name, with the known ones. */
  readonly unknown: { readonly word: string; readonly known: readonly string[] } | undefined;

  constructor(
    message: string,
    place: SuitePlace,
    { suggestions = [], unknown, pointer, others = [] }: Partial<Pick<InvalidSuite, 'suggestions' | 'unknown' | 'pointer' | 'others'>> = {},
  ) {
    super(message);
    this.place = place;
    this.suggestions = suggestions;
    this.unknown = unknown;
    this.pointer = pointer;
    this.others = others;
  }
}

/** Reason why a case does not exist: the manifest lacks the part that it tests. */
export class CaseSkip extends Error {
  override readonly name = 'CaseSkip';
}

/** Reason why a case or a suite has no result: its calls could not be made. */
export class CaseFault extends Error {
  override readonly name = 'CaseFault';
  readonly failure: TestFailure;
  /** Output of the calls that were made. */
  readonly output: CaseOutput;

  constructor(failure: TestFailure, { output = { calls: [] }, cause }: { readonly output?: CaseOutput; readonly cause?: unknown } = {}) {
    super(failure.message, { cause });
    this.failure = failure;
    this.output = output;
  }
}
