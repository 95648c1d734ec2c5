import type { CallWebhook, WebhookAnswer, WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { ShownFinding } from '../checks/finding.js';
import type { CallPipeline, MadeCall } from '../pipeline/pipeline.js';
import { hasSameEffect, uidOf } from './answer-effect.js';
import { endOfFailure } from './failures.js';

/** The last reviews of a run, which are sent again: alone, and at the same time. */
export interface RecentReviews {
  /** Keeps the reviews of a call; every now and then sends the kept ones again and returns answers that differ. */
  readonly compare: (made: MadeCall, how: ReviewComparison) => Promise<readonly UnsteadyAnswer[]>;
  /** Lets the next call send the kept ones again. */
  readonly hurry: () => void;
}

/** How reviews are sent again. */
export interface ReviewComparison {
  readonly pipeline: CallPipeline;
  /** Makes the webhook reachable again; returns the last lines of a process that ended. */
  readonly recover: (failure: 'failed') => Promise<readonly string[] | undefined>;
  /** Waits for the calls that are being made. */
  readonly settle: () => Promise<void>;
  /** Whether the webhook takes several reviews at the same time. */
  readonly takesSeveral: boolean;
}

/** A review with two answers. */
export interface UnsteadyAnswer {
  readonly bug: ShownFinding;
  readonly made: MadeCall;
  /** Last lines of a process that ended. */
  readonly lines: readonly string[];
}

interface Kept {
  readonly exchange: WebhookExchange;
  readonly made: MadeCall;
}

/** Reviews that are sent at the same time. */
const together = 8;
/** Calls between two comparisons; later ones are rarer. */
const [firstInterval, maxInterval] = [24, 96];

/** Returns an empty record. */
export function recentReviews(): RecentReviews {
  let kept: Kept[] = [];
  let calls = 0;
  let [due, interval] = [firstInterval, firstInterval];
  return {
    hurry: () => {
      due = calls + 1;
    },
    compare: async (made, how) => {
      kept = [...kept, ...made.exchanges.filter(({ answer }) => answer.outcome === 'answered').map(exchange => ({ exchange, made }))].slice(
        -together,
      );
      calls += 1;
      if (calls < due || kept.length === 0) return [];
      interval = Math.min(maxInterval, interval * 2);
      due = calls + interval;
      await how.settle();
      return compareReviews(kept, how);
    },
  };
}

async function compareReviews(
  kept: readonly Kept[],
  { pipeline, recover, takesSeveral }: ReviewComparison,
): Promise<readonly UnsteadyAnswer[]> {
  const { callWebhook } = pipeline.scene();
  // In another order, because a webhook may alternate.
  const reversed = [...kept].reverse();
  const answers: WebhookAnswer[] = [];
  if (takesSeveral) answers.push(...(await Promise.all(reversed.map(({ exchange: { call } }) => callWebhook(call)))));
  else for (const { exchange } of reversed) answers.push(await callWebhook(exchange.call));
  answers.reverse();
  const failed = answers.findIndex(({ outcome }) => outcome === 'failed');
  const lines = failed < 0 ? [] : ((await recover('failed')) ?? []);
  const broken = kept[failed];
  const end = broken === undefined ? undefined : endOfFailure(broken.made, lines);
  if (broken !== undefined && end !== undefined)
    return [{ bug: { ...end, message: `${end.message} when it gets ${kindOfLoad}` }, made: broken.made, lines }];
  for (const [i, { exchange, made }] of kept.entries()) {
    const answer = answers[i];
    // A late answer is slow, which another check shows.
    if (answer === undefined || (answer.outcome === 'failed' && answer.class === 'time')) continue;
    if (hasSameEffect({ call: exchange.call, answer }, exchange)) continue;
    const message = await explainDifference(exchange, { call: exchange.call, answer }, pipeline.scene().callWebhook);
    return [{ bug: { check: 'unsteady', webhook: exchange.call.webhook, message }, made, lines: [] }];
  }
  return [];
}

/** Sends the review alone to find out whether the answers differ then, too. */
async function explainDifference(before: WebhookExchange, together: WebhookExchange, callWebhook: CallWebhook): Promise<string> {
  for (let i = 0; i < 3; i += 1) {
    const alone = { call: before.call, answer: await callWebhook(before.call) };
    // A process may have ended since.
    if (alone.answer.outcome === 'answered' && !hasSameEffect(alone, before)) return 'gives two answers to the same review';
  }
  if (together.answer.outcome !== 'answered') return `fails when it gets ${kindOfLoad}: ${together.answer.message}`;
  return uidOf(together) === uidOf(before)
    ? `answers differently when it gets ${kindOfLoad}`
    : `gives a review the answer to another one when it gets ${kindOfLoad}`;
}

const kindOfLoad = 'several reviews at the same time';
