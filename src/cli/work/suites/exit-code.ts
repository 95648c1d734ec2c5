import { ownMember } from '../../../go/own-members.js';
import { obsoleteFailures } from '../../../reports/suites/tally.js';
import type { TestRun } from '../../../suites/results.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';

/** Returns the exit code of a run: 0 when every case passed. Interrupted runs fail; with `--check`, obsolete snapshots do, too. */
export function exitCodeOfRun(run: TestRun): ExitCode {
  const failures = run.suites.flatMap(({ error, cases }) => [
    ...(error === undefined ? [] : [error]),
    ...cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'broken').flatMap(result => result.failures),
  ]);
  const isBad = !run.complete || obsoleteFailures(run).length > 0;
  return gravestExitCode([
    ...failures.map(failure => ownMember(codeOfCheck, failure.check) ?? exitCodes.refused),
    ...(isBad ? [exitCodes.refused] : []),
  ]);
}

/** Exit codes of failures that are not differences from an expectation. */
const codeOfCheck: Readonly<Record<string, ExitCode>> = {
  input: exitCodes.input,
  untested: exitCodes.input,
  call: exitCodes.callFailed,
  exec: exitCodes.callFailed,
  answer: exitCodes.answerInvalid,
  write: exitCodes.writeFailed,
};
