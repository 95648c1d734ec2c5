import { failuresOf } from '../expectations/expectations.js';
import { failureOfCallDifferences } from '../expectations/failed-calls.js';
import type { CaseCall, TestFailure } from '../results.js';
import type { Expectation, SuiteCase } from '../suite.js';

type Expecting = Pick<SuiteCase, 'expect' | 'steps'>;

/** Returns the expectations for a call: those of its step, or of the case. */
export function expectationFor({ expect, steps }: Expecting, { step }: Pick<CaseCall, 'step'>): Expectation {
  return (step === undefined ? undefined : steps?.[step.number - 1]?.expect) ?? expect;
}

/** Returns the name of a step in messages: `step 2 (update)`. */
export function stepText({ number, name }: NonNullable<CaseCall['step']>): string {
  return `step ${number} (${name})`;
}

/**
 * Returns the expectations about calls that do not hold. In a case with steps these are those of the first step that fails, because the
 * steps after it depend on it.
 */
export function callFailures(suiteCase: Expecting, calls: readonly CaseCall[]): TestFailure[] {
  const { steps } = suiteCase;
  if (steps === undefined) return failuresIn(suiteCase, calls);
  for (const [i, { name, expect }] of steps.entries()) {
    const own = calls.filter(({ step }) => step?.number === i + 1);
    const failures = failuresIn({ expect }, own);
    if (failures.length > 0)
      return failures.map(failure => ({ ...failure, message: `${stepText({ number: i + 1, name })}: ${failure.message}` }));
  }
  return [];
}

function failuresIn({ expect }: Pick<SuiteCase, 'expect'>, calls: readonly CaseCall[]): TestFailure[] {
  return [...failuresOf({ expect }, calls), ...calls.flatMap(call => failureOfCallDifferences(expect.failure, call))];
}
