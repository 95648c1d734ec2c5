import { isLate } from '../checks/slow.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import type { Landed } from './ahead.js';
import { endOfFailure, failureOf, isOwnFailure } from './failures.js';
import type { FuzzRun } from './run-state.js';
import { blocksNext, isBlockedBy } from './together.js';

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
export async function attributeFault(run: FuzzRun, landed: Landed): Promise<Attributed> {
  const { options, ahead, findings } = run;
  const { made, isAlone, input, number } = landed;
  if (made === undefined || isAlone || !isDoubtful(made)) return { ...landed, wasLate: false };
  await ahead.settle();
  const failure = failureOf(made);
  const lines = failure === undefined ? [] : ((await options.recover(failure)) ?? []);
  const again = await options.pipeline.make(input, options.seed + number);
  run.calm = 0;
  if (failure === undefined || lines.length > 0) ahead.width = Math.max(1, Math.floor(ahead.width / 2));
  const bug = endOfFailure(made, lines);
  if (bug !== undefined && options.checks.includes('crash') && (again === undefined || failureOf(again) === undefined))
    await findings.add(bug, made, { lines, earlier: [...ahead.landed(), ...run.previous] });
  else if (failure === 'timeout') await findBlocking(run, again);
  else if (failure !== undefined) run.recent.hurry();
  return { ...landed, made: again, isAlone: true, wasLate: made.exchanges.some(isLate) };
}

/** How often a run looks for a call after which a webhook does not answer. */
const maxSearches = 3;

/** Makes the calls again that were answered before others were not, to find one after which the webhook answers no more. */
async function findBlocking(run: FuzzRun, after: MadeCall | undefined): Promise<void> {
  const { options, ahead, previous, findings } = run;
  if (after === undefined || failureOf(after) !== undefined || after.exchanges.some(isLate)) return;
  if (!options.checks.includes('slow') || run.blockedSearches >= maxSearches) return;
  run.blockedSearches += 1;
  const suspects = [...ahead.landed(), ...previous].filter(one => failureOf(one) === undefined);
  const ending = await findFirstBlocking(after, suspects, options);
  const webhook = ending?.exchanges.at(-1)?.call.webhook;
  if (ending === undefined || webhook === undefined) return;
  await options.recover('timeout');
  await findings.add({ check: 'slow', webhook, message: blocksNext }, ending, { lines: [] });
}

/** Returns the call that was made last, or one of the others made again, if the webhook answers no more after it. */
async function findFirstBlocking(last: MadeCall, others: readonly MadeCall[], options: FuzzRun['options']): Promise<MadeCall | undefined> {
  if (await isBlockedBy(last, options)) return last;
  for (const { input } of others) {
    const made = await options.pipeline.make(input, options.seed);
    if (made !== undefined && (await isBlockedBy(made, options))) return made;
  }
  return undefined;
}

function isDoubtful(made: MadeCall): boolean {
  return made.exchanges.some(
    ({ answer }) =>
      (answer.outcome === 'failed' && !isOwnFailure(answer)) || (answer.outcome === 'answered' && answer.durationMs >= promptMs),
  );
}
