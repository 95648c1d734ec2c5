import type { TestRun } from '../../suites/results.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../exit-codes.js';

/** What a run comes to: 0 when every case passed; `check`: obsolete snapshots fail, too. */
export function exitCodeOfRun(
  { suites, obsolete }: Pick<TestRun, 'suites' | 'obsolete'>,
  { check }: { readonly check: boolean },
): ExitCode {
  const failures = suites.flatMap(({ error, cases }) => [
    ...(error === undefined ? [] : [error]),
    ...cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken').flatMap(result => result.failures),
  ]);
  const obsoleteCodes = check && obsolete.some(({ removed }) => !removed) ? [exitCodes.refused] : [];
  return gravestExitCode([...failures.map(failure => codeOfCheck[failure.check] ?? exitCodes.refused), ...obsoleteCodes]);
}

/** Checks whose failure is no difference between what was expected and what came of it. */
const codeOfCheck: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  call: exitCodes.callFailed,
  exec: exitCodes.callFailed,
  answer: exitCodes.answerInvalid,
  write: exitCodes.writeFailed,
};
