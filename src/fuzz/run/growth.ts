import { isLate } from '../checks/slow.js';
import { mostItems } from '../inputs/larger.js';
import { promptMs } from './attribute.js';
import type { MadeCall } from './pipeline.js';
import type { Run } from './run-state.js';

/** Times of answers of a webhook that are compared. */
const [slower, minMs] = [10, 12];
/** Items from which on a long answer may be due to their number. */
const minItems = 300;
const tries = 2;

/** The part of a run that times answers. */
export interface Answering {
  readonly ahead: Pick<Run['ahead'], 'settle'>;
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
