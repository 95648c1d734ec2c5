import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../../client/cli-error.js';
import { counted } from '../../../kubernetes/counted.js';
import type { CallWebhook, WebhookCall } from '../../../kubernetes/webhook-call.js';
import { quantilesOf } from '../../../replay/histogram.js';
import { type LoadTally, runLoad as sendLoad } from '../../../replay/load.js';
import { loadReport } from '../../../reports/replay/load-report.js';
import { monotonicMs } from '../../../transport/clock.js';
import { idleTimeoutMs } from '../../../transport/connection-pool.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { openTransport } from '../../work/webhooks/connection.js';
import type { ReplayFlagOptions } from './replay-options.js';
import { replayPart } from './replay-part.js';

/** Reviews to take from the log: more than a webhook's caches hold, few enough to keep. */
const maxReviews = 5000;

const defaultMs = 60_000;

/** Sends the reviews of the log's calls at a fixed rate, and prints latencies and errors. Throws CliError. */
export async function runReplayLoad(options: ReplayFlagOptions & { readonly rate: number }, surroundings: Surroundings): Promise<ExitCode> {
  const perSecond = options.rate;
  const reviews = await collectReviews(options, surroundings);
  if (reviews.length === 0)
    throw new CliError('no-objects', 'no call of the log reaches a webhook', {
      suggestions: ['look at the selection with webhook-cli match'],
    });
  surroundings.stderr.write(`sending ${counted(reviews.length, 'review')} in turn, ${perSecond} a second\n`);
  const transport = await openTransport(options, surroundings, { keepConnections: true, canForward: false, maxIdleMs: idleTimeoutMs });
  let isOver = false;
  const forget = surroundings.onInterrupt(async () => {
    isOver = true;
    await load;
  });
  const load = sendLoad(reviews, {
    ...{ callWebhook: transport.callWebhook, perSecond, forMs: options.forMs ?? defaultMs, clock: monotonicMs, isOver: () => isOver },
    until: async ms => {
      await setTimeout(ms - monotonicMs());
    },
  });
  try {
    const tally = await load;
    surroundings.stdout.write(loadReport(tally, { perSecond, maxP99Ms: options.maxP99Ms }, options.output ?? 'text'));
    return isTooSlow(tally, options) ? exitCodes.refused : exitCodes.allowed;
  } finally {
    forget();
    await transport.close();
  }
}

/** A load in which nothing was answered has failed, too. */
function isTooSlow(
  { latencies, errors, sent }: LoadTally,
  { maxP99Ms: maxMs = Number.POSITIVE_INFINITY }: Pick<ReplayFlagOptions, 'maxP99Ms'>,
): boolean {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const [p99 = 0] = quantilesOf(latencies, [0.99]);
  return failed === sent || p99 > maxMs;
}

/** Allows what validating webhooks would be asked: their answers change no review, and before the load they are sent none. */
function allowing(callWebhook: CallWebhook): CallWebhook {
  return async call => {
    if (call.phase !== 'validating') return callWebhook(call);
    const { apiVersion, uid } = call;
    const body = Buffer.from(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid, allowed: true } }));
    return { outcome: 'answered', statusCode: 200, headers: [['content-type', 'application/json']], body, durationMs: 0 };
  };
}

/** Makes calls of the log until there are enough reviews. */
async function collectReviews(options: ReplayFlagOptions, surroundings: Surroundings): Promise<readonly WebhookCall[]> {
  const reviews: WebhookCall[] = [];
  const part = { index: 0, count: 1, threads: 1 };
  await replayPart({ ...options, checkpoint: undefined, noDedupe: false }, part, surroundings, {
    sending: allowing,
    isEnough: () => reviews.length >= maxReviews,
    watch: makeAgain => async (call, state, at) => {
      const made = await makeAgain(call, state, at);
      reviews.push(...made.exchanges.map(exchange => exchange.call));
      return made;
    },
  });
  return reviews;
}
