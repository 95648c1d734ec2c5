import type { SuitePlace } from '../../suites/place.js';
import type { CaseResult, SuiteResult, TestFailure } from '../../suites/results.js';

/** `pods.webhook-test.yaml:4:3`, as far as known. */
export function placeText({ file, line, column }: SuitePlace): string {
  return [file, line, column].filter(part => part !== undefined).join(':');
}

/** Position to show for a failure: the expectation, or else the case. */
export function placeOfFailure(failure: TestFailure, { place }: Pick<CaseResult, 'place'>): SuitePlace {
  return failure.place ?? place;
}

/** Position to show for a suite that could not run. */
export function placeOfSuite({ error, file }: SuiteResult): SuitePlace {
  return error?.place ?? { file };
}
