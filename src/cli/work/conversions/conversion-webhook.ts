import { CliError } from '../../../client/cli-error.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { startDemo } from '../webhooks/demo.js';
import { checkScheme } from '../webhooks/registration.js';
import type { OtherWebhook } from './definitions.js';

/** Flags that replace the webhook of a definition. */
export type OtherWebhookFlags = Pick<WebhookFlagOptions, 'url' | 'demo' | 'caFile' | 'allowHttp' | 'reviewVersions'> & {
  readonly now?: Date | undefined;
};

/** A conversion webhook, ready to be called. */
export interface OpenConversionWebhook {
  /** Undefined: the webhooks of the definitions. */
  readonly webhook: OtherWebhook | undefined;
  readonly close: () => Promise<void>;
}

/** Throws CliError for contradictory flags, and for an address that no definition can have. */
export function checkOtherWebhook(flags: OtherWebhookFlags): void {
  if (flags.url !== undefined && flags.demo === true) throw new CliError('usage', '--url and --demo are mutually exclusive');
  if (flags.url !== undefined) checkScheme(flags.url, flags);
}

/** Opens the webhook of `--url`, or starts the embedded one of `--demo`. */
export async function openConversionWebhook(
  flags: OtherWebhookFlags,
  { cwd, now }: Pick<Surroundings, 'cwd' | 'now'>,
): Promise<OpenConversionWebhook> {
  const reviewVersions = (flags.reviewVersions ?? 'v1').split(',');
  if (flags.demo === true) {
    const { offers } = await import('../../../webhook-server/handlers/offers.js');
    const { conversion, close } = await startDemo({ now: () => flags.now ?? now() }, offers);
    return { webhook: { ...conversion, reviewVersions }, close };
  }
  const close = async (): Promise<void> => {};
  if (flags.url === undefined) return { webhook: undefined, close };
  return { webhook: { url: flags.url, caBundle: authorityOf(flags, cwd), reviewVersions }, close };
}

/** Shortens the timeout of the API server, which is 30 seconds for a conversion. */
export function withTimeout(callWebhook: CallWebhook, timeoutMs: number | undefined): CallWebhook {
  return timeoutMs === undefined ? callWebhook : call => callWebhook({ ...call, deadlineMs: Math.min(call.deadlineMs, timeoutMs) });
}
