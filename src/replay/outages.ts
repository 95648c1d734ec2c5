import type { CallWebhook, WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';

/** A webhook that does not answer, in a part of the log's time or all of it. */
export interface Outage {
  /** Name of the webhook, or `configuration/webhook`. */
  readonly webhook: string;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** A webhook that answers later than it does. */
export interface Latency {
  readonly webhook: string;
  readonly ms: number;
}

export interface Disturbances {
  readonly outages: readonly Outage[];
  readonly latencies: readonly Latency[];
}

/** How a call's webhooks are called, and how long it waited for them so far: measured, or as long as an outage would have taken. */
export interface TimedCalls {
  readonly callWebhook: CallWebhook;
  /** Milliseconds on the clock of the call, on which time passes only while webhooks are called. */
  readonly elapsedMs: () => number;
  readonly sent: () => number;
}

/** Times the webhooks of one call, which the API server received at `atMs`, and replaces those that are not there. */
export function timedCalls(callWebhook: CallWebhook, { outages, latencies }: Disturbances, atMs: number | undefined): TimedCalls {
  let elapsed = 0;
  let sent = 0;
  const answerOf = async (call: WebhookCall): Promise<WebhookAnswer> => {
    if (outages.some(outage => concernsOutage(outage, call) && isDuring(outage, atMs))) return timeout(call);
    sent += 1;
    const answer = await callWebhook(call);
    const extra = latencies.filter(latency => concernsOutage(latency, call)).reduce((sum, { ms }) => sum + ms, 0);
    if (extra === 0 || answer.outcome === 'noClient') return answer;
    return answer.durationMs + extra >= call.deadlineMs ? timeout(call) : { ...answer, durationMs: answer.durationMs + extra };
  };
  return {
    callWebhook: async call => {
      // Validating webhooks start together: each ends at its own time.
      const started = elapsed;
      const answer = await answerOf(call);
      elapsed = Math.max(elapsed, started + (answer.outcome === 'noClient' ? 0 : answer.durationMs));
      return answer;
    },
    elapsedMs: () => elapsed,
    sent: () => sent,
  };
}

/** Reports whether any of the outages is at this time. */
export function activeOutages({ outages }: Disturbances, atMs: number | undefined): string {
  return outages.flatMap((outage, i) => (isDuring(outage, atMs) ? [i] : [])).join(',');
}

function isDuring({ fromMs, toMs }: Outage, atMs: number | undefined): boolean {
  if (fromMs === undefined && toMs === undefined) return true;
  return atMs !== undefined && atMs >= (fromMs ?? Number.NEGATIVE_INFINITY) && atMs < (toMs ?? Number.POSITIVE_INFINITY);
}

export function concernsOutage({ webhook }: { readonly webhook: string }, call: Pick<WebhookCall, 'configuration' | 'webhook'>): boolean {
  return webhook === call.webhook || webhook === `${call.configuration}/${call.webhook}`;
}

function timeout(call: WebhookCall): WebhookAnswer {
  const reason = 'context deadline exceeded';
  return { outcome: 'failed', class: 'time', message: `Post ${JSON.stringify(call.url)}: ${reason}`, reason, durationMs: call.deadlineMs };
}
