import { isLate } from '../checks/slow.js';
import type { Landed } from './ahead.js';
import { endOf, failureOf, isOwnFailure } from './failures.js';
import type { MadeCall } from './pipeline.js';
import type { Run } from './run-state.js';

/** An answer after this time may have waited for others; otherwise it is a long one. */
export const promptMs = 400;

/** A call whose result is its own. */
interface Attributed extends Landed {
  /** Whether an answer was late before, when other calls were made at the same time. */
  readonly wasLate: boolean;
}

/**
 * Makes a call again, alone, if it failed or was late while others were made: one of them may be the reason. A process that ended is a finding of
 * the call that ends it again.
 */
export async function attributed(run: Run, landed: Landed): Promise<Attributed> {
  const { options, ahead, findings } = run;
  const { made, isAlone, input, number } = landed;
  if (made === undefined || isAlone || !isDoubtful(made)) return { ...landed, wasLate: false };
  await ahead.settle();
  const failure = failureOf(made);
  const lines = failure === undefined ? [] : ((await options.recover(failure)) ?? []);
  const again = await options.pipeline.make(input, options.seed + number);
  run.calm = 0;
  if (failure === undefined || lines.length > 0) ahead.width = Math.max(1, Math.floor(ahead.width / 2));
  const bug = endOf(made, lines);
  if (bug !== undefined && options.checks.includes('crash') && (again === undefined || failureOf(again) === undefined))
    await findings.add(bug, made, { lines, earlier: [...ahead.landed(), ...run.previous] });
  else if (failure !== undefined && failure !== 'timeout') run.recent.hurry();
  return { ...landed, made: again, isAlone: true, wasLate: made.exchanges.some(isLate) };
}

function isDoubtful(made: MadeCall): boolean {
  return made.exchanges.some(
    ({ answer }) =>
      (answer.outcome === 'failed' && !isOwnFailure(answer)) || (answer.outcome === 'answered' && answer.durationMs >= promptMs),
  );
}
