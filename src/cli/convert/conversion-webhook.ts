import { CliError } from '../../client/cli-error.js';
import type { WebhookFlags } from '../../client/options/webhook-options.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { Surroundings } from '../surroundings.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { startDemo } from '../webhooks/demo.js';
import { checkUrl } from '../webhooks/registration.js';
import type { OtherWebhook } from './definitions.js';

/** The flags that name a webhook other than the definition's own. */
export type OtherWebhookFlags = Pick<WebhookFlags, 'url' | 'demo' | 'ca-file' | 'allow-http' | 'review-versions'> & {
  readonly now?: Date | undefined;
};

/** A webhook to convert with, ready to be called. */
export interface OpenConversionWebhook {
  /** Undefined: the definitions' own. */
  readonly webhook: OtherWebhook | undefined;
  readonly close: () => Promise<void>;
}

/** Throws CliError for flags that contradict each other and for an address that no definition could have. */
export function checkOtherWebhook(flags: OtherWebhookFlags): void {
  if (flags.url !== undefined && flags.demo === true) throw new CliError('usage', '--url and --demo are two answers to one question');
  if (flags.url !== undefined) checkUrl(flags.url, flags);
}

/** The webhook of `--url`, the embedded one of `--demo`, which is started, or none. */
export async function openConversionWebhook(
  flags: OtherWebhookFlags,
  { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>,
): Promise<OpenConversionWebhook> {
  const reviewVersions = (flags['review-versions'] ?? 'v1').split(',');
  if (flags.demo === true) {
    const { offers } = await import('../../webhook-server/handlers/offers.js');
    const { conversion, close } = await startDemo({ now: () => flags.now ?? now() }, offers);
    return { webhook: { ...conversion, reviewVersions }, close };
  }
  const close = async (): Promise<void> => {};
  if (flags.url === undefined) return { webhook: undefined, close };
  return { webhook: { url: flags.url, caBundle: authorityOf(flags, cwd), reviewVersions }, close };
}

/** The API server waits 30 seconds for a conversion; who sets a limit gives up earlier. */
export function withTimeout(callWebhook: CallWebhook, timeoutMs: number | undefined): CallWebhook {
  return timeoutMs === undefined ? callWebhook : call => callWebhook({ ...call, deadlineMs: Math.min(call.deadlineMs, timeoutMs) });
}
