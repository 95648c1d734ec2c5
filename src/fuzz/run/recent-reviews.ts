import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { isMap, mapAt } from '../../go/value.js';
import type { CallWebhook, Exchange } from '../../kubernetes/webhook-call.js';
import type { Shown } from '../checks/finding.js';
import type { MadeCall, Pipeline } from './pipeline.js';

/** The last reviews of a run, which are sent again: alone, and at the same time. */
export interface RecentReviews {
  /** Keeps the reviews of a call; every now and then sends the kept ones again and returns answers that differ. */
  readonly compare: (made: MadeCall, options: { readonly pipeline: Pipeline }) => Promise<readonly UnsteadyAnswer[]>;
}

/** A review with two answers. */
export interface UnsteadyAnswer {
  readonly bug: Shown;
  readonly made: MadeCall;
}

interface Kept {
  readonly exchange: Exchange;
  readonly made: MadeCall;
}

/** Reviews that are sent at the same time. */
const together = 8;
/** Calls between two comparisons. */
const interval = 24;

/** Returns an empty record. */
export function recentReviews(): RecentReviews {
  let kept: Kept[] = [];
  let calls = 0;
  return {
    compare: async (made, { pipeline }) => {
      kept = [...kept, ...made.exchanges.filter(({ answer }) => answer.outcome === 'answered').map(exchange => ({ exchange, made }))].slice(
        -together,
      );
      calls += 1;
      if (calls % interval !== 0 || kept.length === 0) return [];
      const { callWebhook } = pipeline.scene();
      // In another order, because a webhook may alternate.
      const reversed = [...kept].reverse();
      const answers = (await Promise.all(reversed.map(({ exchange: { call } }) => callWebhook(call)))).reverse();
      for (const [i, { exchange, made: shown }] of kept.entries()) {
        const answer = answers[i];
        if (answer === undefined || textOf({ call: exchange.call, answer }) === textOf(exchange)) continue;
        const message = await explained(exchange, { call: exchange.call, answer }, callWebhook);
        return [{ bug: { check: 'unsteady', webhook: exchange.call.webhook, message }, made: shown }];
      }
      return [];
    },
  };
}

/** Sends the review alone to find out whether the answers differ then, too. */
async function explained(before: Exchange, together: Exchange, callWebhook: CallWebhook): Promise<string> {
  for (let i = 0; i < 3; i += 1) {
    const alone = { call: before.call, answer: await callWebhook(before.call) };
    if (textOf(alone) !== textOf(before)) return 'gives two answers to the same review';
  }
  if (together.answer.outcome !== 'answered') return `fails when it gets ${kindOfLoad}: ${together.answer.message}`;
  return uidOf(together) === uidOf(before)
    ? `answers differently when it gets ${kindOfLoad}`
    : `gives a review the answer to another one when it gets ${kindOfLoad}`;
}

const kindOfLoad = 'several reviews at the same time';

/** The answer, without the order of keys. */
function textOf({ answer }: Exchange): string {
  if (answer.outcome !== 'answered') return answer.outcome;
  const text = Buffer.from(answer.body).toString('utf8');
  const value = parsed(text);
  return `${answer.statusCode} ${value === undefined ? text : writeValue(value, 'sorted')}`;
}

function uidOf({ answer }: Exchange): unknown {
  return answer.outcome === 'answered' ? mapAt(parsed(Buffer.from(answer.body).toString('utf8')), 'response')?.get('uid') : undefined;
}

function parsed(text: string): ReturnType<typeof readUnstructured> | undefined {
  try {
    const value = readUnstructured(text);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
