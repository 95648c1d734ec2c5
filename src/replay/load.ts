import { ownMember, setOwnMember } from '../go/own-members.js';
import type { CallWebhook, WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import { addToHistogram, type Histogram } from './histogram.js';

/** A load: reviews at a fixed rate, whether earlier ones have been answered or not. */
export interface LoadOptions {
  readonly callWebhook: CallWebhook;
  readonly perSecond: number;
  readonly forMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Resolves at a time of the clock, or soon after it. */
  readonly until: (ms: number) => Promise<void>;
  /** Ends the load early. */
  readonly isOver: () => boolean;
}

/** What a load showed. */
export interface LoadTally {
  sent: number;
  /** Milliseconds from the first to the last review. */
  durationMs: number;
  /** Latencies from the time at which a review was due, so that a late start counts, or from its start if it was early. */
  readonly latencies: Histogram;
  /** Answers later than the webhook's `timeoutSeconds`. */
  late: number;
  /** Failures by their words, HTTP statuses other than 200 among them. */
  readonly errors: Record<string, number>;
}

/** Sends reviews in turn at a fixed rate: an open model, in which a slow answer does not slow the next review down. */
export async function runLoad(
  reviews: readonly WebhookCall[],
  { callWebhook, perSecond, forMs, clock, until, isOver }: LoadOptions,
): Promise<LoadTally> {
  const tally: LoadTally = { sent: 0, durationMs: 0, latencies: {}, late: 0, errors: {} };
  const running = new Set<Promise<void>>();
  const total = Math.max(1, Math.round((perSecond * forMs) / 1000));
  const start = clock();
  const dueAt = (i: number): number => start + (i * 1000) / perSecond;
  const send = (review: WebhookCall, due: number): void => {
    // Timers may end up to a millisecond early.
    const from = Math.min(due, clock());
    const done: Promise<void> = callWebhook({ ...review, deadlineMs: review.timeoutSeconds * 1000 }).then(answer => {
      running.delete(done);
      countAnswer(tally, review, { answer, latencyMs: clock() - from });
    });
    running.add(done);
  };
  for (let i = 0; i < total && !isOver(); i += 1) {
    const due = dueAt(i);
    if (clock() < due) await until(due);
    const review = reviews[i % reviews.length];
    if (review === undefined) break;
    send(review, due);
    tally.sent += 1;
    tally.durationMs = clock() - start;
  }
  await Promise.all(running);
  return tally;
}

function countAnswer(
  tally: LoadTally,
  review: WebhookCall,
  { answer, latencyMs }: { readonly answer: WebhookAnswer; readonly latencyMs: number },
): void {
  addToHistogram(tally.latencies, latencyMs);
  if (latencyMs > review.timeoutSeconds * 1000) tally.late += 1;
  const error = errorOf(answer);
  if (error !== undefined) setOwnMember(tally.errors, error, (ownMember(tally.errors, error) ?? 0) + 1);
}

function errorOf(answer: WebhookAnswer): string | undefined {
  if (answer.outcome === 'noClient') return answer.message;
  if (answer.outcome === 'failed') return answer.reason ?? answer.message;
  return answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`;
}
