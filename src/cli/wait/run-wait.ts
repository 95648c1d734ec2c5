import { setTimeout } from 'node:timers/promises';
import { duration } from '../../reports/suites/tally.js';
import { monotonicMs } from '../../transport/clock.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { openTransport } from '../webhooks/connection.js';
import { type Asking, askWebhook, type Unready } from './ask-webhook.js';
import { type AwaitedFlags, type AwaitedWebhook, awaitedWebhooks } from './awaited-webhooks.js';

export type WaitFlags = AwaitedFlags & {
  readonly waitMs?: number | undefined;
  readonly intervalMs?: number | undefined;
};

const defaultTimeoutMs = 60_000;
const defaultIntervalMs = 500;

/** Waits for all webhooks of the flags in parallel; 4 if one of them does not become ready. Throws CliError for unusable flags. */
export async function runWait(flags: WaitFlags, surroundings: Surroundings): Promise<ExitCode> {
  const webhooks = await awaitedWebhooks(flags, surroundings);
  const transport = await openTransport(flags, surroundings.cwd);
  const waiting = {
    timeoutMs: flags.waitMs ?? defaultTimeoutMs,
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
      stdout.write(`${webhook.name} is ready: ${duration(elapsed)}, ${attempts} attempt${attempts === 1 ? '' : 's'}\n`);
      return true;
    }
    if (elapsed >= timeoutMs) {
      stderr.write(`error: ${webhook.name} is not ready after ${duration(timeoutMs)}: ${sentence(unready)}\n`);
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
