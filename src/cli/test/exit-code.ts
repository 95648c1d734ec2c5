import { obsoleteFailures } from '../../reports/suites/tally.js';
import type { TestRun } from '../../suites/results.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../exit-codes.js';

/** What a run comes to: 0 when every case passed; with `--check` obsolete snapshots fail it, and so does the end that came too early. */
export function exitCodeOfRun(run: TestRun): ExitCode {
  const failures = run.suites.flatMap(({ error, cases }) => [
    ...(error === undefined ? [] : [error]),
    ...cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken').flatMap(result => result.failures),
  ]);
  const isBad = !run.complete || obsoleteFailures(run).length > 0;
  return gravestExitCode([
    ...failures.map(failure => codeOfCheck[failure.check] ?? exitCodes.refused),
    ...(isBad ? [exitCodes.refused] : []),
  ]);
}

/** Checks whose failure is no difference between what was expected and what came of it. */
const codeOfCheck: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  call: exitCodes.callFailed,
  exec: exitCodes.callFailed,
  answer: exitCodes.answerInvalid,
  write: exitCodes.writeFailed,
};
