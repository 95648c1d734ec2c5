import { isLate } from '../checks/slow.js';
import type { FuzzInput } from '../inputs/input.js';
import { largerOf, mostItems } from '../inputs/larger.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import { promptMs } from './attribute.js';
import { examineCall, type FuzzRun } from './run-state.js';

/** Times of answers of a webhook that are compared. */
const [slower, minMs] = [10, 12];
/** Items from which on a long answer may be due to their number. */
const minItems = 300;
const tries = 2;

/** Calls with long answers that are made again with larger objects. */
const maxEnlarged = 20;
/** How often the object of a call is enlarged. */
const maxRounds = 3;

/**
 * Makes a call again with larger objects while the answers take long, and adds what that shows to the findings. These calls are not among the
 * planned ones, and nothing is learned from them: they depend on time.
 */
export async function findGrowing(run: FuzzRun, made: MadeCall): Promise<void> {
  const { options } = run;
  let calls: readonly MadeCall[] = [made];
  for (let round = 0; round < maxRounds; round += 1) {
    const larger: MadeCall[] = [];
    for (const call of calls) {
      if (run.enlarged >= maxEnlarged || options.isOver(run.calls) || !(await mayGrow(run, call))) continue;
      run.enlarged += 1;
      for (const input of largerOf(call.input)) {
        const next = await showAlone(run, input);
        if (next !== undefined) larger.push(next);
      }
    }
    calls = larger;
  }
}

/** Makes a call while no other one is made, and adds what it shows to the findings. */
async function showAlone(run: FuzzRun, input: FuzzInput): Promise<MadeCall | undefined> {
  const { ahead, options, findings, previous } = run;
  await ahead.settle();
  const made = await options.pipeline.make(input, options.seed);
  if (made === undefined) return undefined;
  const { bugs, lines } = await examineCall(made, { ...run, isNew: false, isReduction: false, wasLate: false, waitsForEnd: false });
  for (const bug of bugs) await findings.add(bug, made, { lines, earlier: previous });
  return made;
}

/** The part of a run that times answers. */
export interface Answering {
  readonly ahead: Pick<FuzzRun['ahead'], 'settle'>;
  fastestMs: number;
}

/**
 * Reports whether larger objects may be answered late: the answer took long, or with many items far longer than the fastest one, each time the
 * review was sent.
 */
export async function mayGrow(
  run: Answering,
  { exchanges, input, send }: Pick<MadeCall, 'exchanges' | 'input' | 'send'>,
): Promise<boolean> {
  for (const { call, answer } of exchanges) {
    if (answer.outcome !== 'answered' || isLate({ call, answer })) continue;
    run.fastestMs = Math.min(run.fastestMs, answer.durationMs);
    if (answer.durationMs >= promptMs) return true;
    const limit = Math.max(minMs, slower * run.fastestMs);
    if (answer.durationMs < limit || mostItems(input.object) < minItems) continue;
    await run.ahead.settle();
    for (let i = 0; i <= tries; i += 1) {
      if (i === tries) return true;
      const again = await send(call);
      if (again.outcome !== 'answered' || again.durationMs < limit) break;
    }
  }
  return false;
}
