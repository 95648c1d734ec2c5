import { CliError } from '../../client/cli-error.js';
import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { CallWebhook, WebhookCall } from '../../kubernetes/webhook-call.js';
import type { Recording } from '../../suites/recordings/recording.js';
import type { CaseOutput } from '../../suites/results.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { callTo } from '../webhooks/webhook-at-url.js';
import { failedCallFault } from './failed-calls.js';

/** Seconds that the API server gives a conversion. */
const timeoutSeconds = 30;

interface Replaying {
  readonly flags: WebhookOptions;
  readonly callWebhook: CallWebhook;
  readonly cwd: string;
}

/** Sends the ConversionReview of a recording again. Throws CliError without an address, CaseFault when the webhook does not answer. */
export async function replayConversion({ request }: Recording, { flags, callWebhook, cwd }: Replaying): Promise<CaseOutput> {
  const { url } = flags;
  if (url === undefined) throw new CliError('usage', 'no webhook specified for a recorded conversion', { suggestions: ['pass --url URL'] });
  const call: WebhookCall = {
    ...{ phase: 'conversion', configuration: '', webhook: '', caBundle: authorityOf(flags, cwd), timeoutSeconds, body: request.body },
    ...callTo(url, { url: new URL(request.path, 'https://webhook.invalid').href }),
    deadlineMs: Math.min(timeoutSeconds, flags.timeoutSeconds ?? timeoutSeconds) * 1000,
  };
  const answer = await callWebhook(call);
  const output: CaseOutput = { calls: [], conversion: { conversions: [], notes: [], exchanges: [{ call, answer }] } };
  if (answer.outcome === 'noClient') throw failedCallFault('tls', answer.message, output);
  if (answer.outcome === 'failed') throw failedCallFault(answer.class, answer.message, output);
  return output;
}
