import type { Place } from '../../suites/place.js';
import type { CaseResult, SuiteResult, TestFailure } from '../../suites/results.js';

/** `pods.webhook-test.yaml:4:3`, as far as it is known. */
export function placeText({ file, line, column }: Place): string {
  return [file, line, column].filter(part => part !== undefined).join(':');
}

/** Where a reader should look first: the expectation, or else the case. */
export function placeOfFailure(failure: TestFailure, { place }: Pick<CaseResult, 'place'>): Place {
  return failure.place ?? place;
}

/** Where a suite that could not run is described. */
export function placeOfSuite({ error, file }: SuiteResult): Place {
  return error?.place ?? { file };
}
