import { setTimeout } from 'node:timers/promises';
import type { CallFailure, WebhookReport } from '../../../apiserver/admission/webhook-report.js';
import type { ServiceMapping } from '../../../client/options/address-values.js';
import { isMap, listAt } from '../../../go/value.js';
import type { ApiCall } from '../../../kubernetes/api-call.js';
import { counted } from '../../../kubernetes/counted.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { tallyDuration } from '../../../reports/suites/tally.js';
import { notReadyStatuses, probePod } from '../../../suites/process/review-probe.js';
import { monotonicMs } from '../../../transport/clock.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { makePlanned, type PlanMaking } from '../../work/calls/make-planned.js';
import { openTransport } from '../../work/webhooks/connection.js';
import { type AwaitedWebhook, readAwaitedWebhooks } from './awaited-webhooks.js';
import type { WaitFlags } from './wait-options.js';

const defaultTimeoutMs = 60_000;
const defaultIntervalMs = 500;

/** Waits for all webhooks of the flags in parallel; 4 if one of them does not become ready. Throws CliError for unusable flags. */
export async function runWait(flags: WaitFlags, surroundings: Surroundings): Promise<ExitCode> {
  const webhooks = await readAwaitedWebhooks(flags, surroundings);
  const transport = await openTransport(flags, surroundings);
  const waiting = {
    timeoutMs: flags.timeoutMs ?? defaultTimeoutMs,
    intervalMs: flags.intervalMs ?? defaultIntervalMs,
    asking: { callWebhook: transport.callWebhook, services: flags.service ?? [], surroundings },
    surroundings,
  };
  try {
    const ready = await Promise.all(webhooks.map(webhook => waitFor(webhook, waiting)));
    return ready.every(each => each) ? exitCodes.allowed : exitCodes.callFailed;
  } finally {
    await transport.close();
  }
}

interface Waiting {
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly asking: Asking;
  readonly surroundings: Pick<Surroundings, 'stdout' | 'stderr'>;
}

/** Retries until the webhook is ready or the timeout expires; prints each new reason and the result. */
async function waitFor(webhook: AwaitedWebhook, { timeoutMs, intervalMs, asking, surroundings }: Waiting): Promise<boolean> {
  const start = monotonicMs();
  const { stdout, stderr } = surroundings;
  let last = '';
  for (let attempts = 1; ; attempts += 1) {
    const unready = await askWebhook(webhook, timeoutMs - (monotonicMs() - start), asking);
    const elapsed = monotonicMs() - start;
    if (unready === undefined) {
      stdout.write(`${webhook.name} is ready: ${tallyDuration(elapsed)}, ${counted(attempts, 'attempt')}\n`);
      return true;
    }
    if (elapsed >= timeoutMs) {
      stderr.write(`error: ${webhook.name} is not ready after ${tallyDuration(timeoutMs)}: ${sentence(unready)}\n`);
      return false;
    }
    // Port numbers differ for each connection.
    const reason = unready.message.replace(/\d+/g, '0');
    if (reason !== last) stderr.write(`waiting: ${unready.message}\n`);
    last = reason;
    await setTimeout(Math.min(intervalMs, timeoutMs - elapsed));
  }
}

function sentence({ message, why, try: attempt }: Unready): string {
  return `${message}\n  ${why}\n  try: ${attempt}`;
}

/** Reason why a webhook is not ready, with the API server's message. */
type Unready = Pick<CallFailure, 'message' | 'why' | 'try'>;

/** Options of the reviews. */
interface Asking {
  readonly callWebhook: CallWebhook;
  readonly services: readonly ServiceMapping[];
  readonly surroundings: PlanMaking['surroundings'];
}

/** Limit of the API server for one webhook, in seconds. */
const maxTimeoutSeconds = 30;

/**
 * Lets the API server create a pod in a dry run, and returns why the webhook is not ready; undefined if it is ready. Takes no longer than
 * `patienceMs`, rounded up to seconds. Throws CliError for a service without an address.
 */
async function askWebhook(webhook: AwaitedWebhook, patienceMs: number, asking: Asking): Promise<Unready | undefined> {
  const making = { ...asking, checks: [], fixed: {}, notes: [] };
  const steps = [{ plan: () => ({ call: podCreation, command: undefined }) }];
  const [made] = await makePlanned({ steps, state: withTimeout(webhook, patienceMs).state, notes: [] }, making);
  const report = made?.report;
  const entry = report?.webhooks.find(({ round }) => round === 1);
  if (report === undefined || entry === undefined) throw new Error('the webhook matches every call');
  if (entry.failure === undefined || answers(entry, webhook)) return undefined;
  const { message, why, try: attempt } = entry.failure;
  return { message: `failed calling webhook "${webhook.name}": ${message}`, why, try: attempt };
}

const podCreation: ApiCall = {
  method: 'POST',
  path: `/api/v1/namespaces/${probePod.metadata.namespace}/pods?dryRun=All`,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(probePod)),
};

/** An HTTP error, or a patch that does not apply, may be caused by the pod, which the webhook need not handle. */
function answers({ failure, exchange }: WebhookReport, { hasPath }: AwaitedWebhook): boolean {
  if (failure?.class === 'patch') return true;
  const answer = exchange?.answer;
  if (failure?.class !== 'http' || answer?.outcome !== 'answered' || answer.statusCode < 400) return false;
  return (answer.statusCode === 404 && !hasPath) || !notReadyStatuses.includes(answer.statusCode);
}

/** Limits `timeoutSeconds` of the webhook to the remaining time. */
function withTimeout(webhook: AwaitedWebhook, patienceMs: number): AwaitedWebhook {
  const left = BigInt(Math.min(Math.max(Math.ceil(patienceMs / 1000), 1), maxTimeoutSeconds));
  const objects = webhook.state.objects.map(object => {
    const webhooks = listAt(object, 'webhooks').map(entry => {
      const own = isMap(entry) ? entry.get('timeoutSeconds') : undefined;
      const seconds = typeof own === 'bigint' ? own : 10n;
      return isMap(entry) ? new Map([...entry, ['timeoutSeconds', seconds < left ? seconds : left]]) : entry;
    });
    return webhooks.length === 0 ? object : new Map([...object, ['webhooks', webhooks]]);
  });
  return { ...webhook, state: { ...webhook.state, objects } };
}
