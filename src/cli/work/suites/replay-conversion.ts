import { CliError } from '../../../client/cli-error.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { JsonTypeError, readUnstructured } from '../../../encoding/unstructured.js';
import { JsonSyntaxError } from '../../../go/json/syntax-error.js';
import { stringAt } from '../../../go/value.js';
import type { CallWebhook, WebhookCall } from '../../../kubernetes/webhook-call.js';
import type { Recording } from '../../../suites/recording.js';
import type { CaseOutput } from '../../../suites/results.js';
import { authorityOf } from '../webhooks/cluster-webhooks.js';
import { callTo } from '../webhooks/webhook-at-url.js';
import { failedCallFault } from './failed-calls.js';

/** Seconds that the API server gives a conversion. */
const timeoutSeconds = 30;

interface Replaying {
  readonly flags: WebhookFlagOptions;
  readonly callWebhook: CallWebhook;
  readonly cwd: string;
}

/** Sends the ConversionReview of a recording again. Throws CliError without an address, CaseFault when the webhook does not answer. */
export async function replayConversion({ request }: Recording, { flags, callWebhook, cwd }: Replaying): Promise<CaseOutput> {
  const { url } = flags;
  if (url === undefined) throw new CliError('usage', 'no webhook specified for a recorded conversion', { suggestions: ['pass --url URL'] });
  const call: WebhookCall = {
    ...{ phase: 'conversion', configuration: '', webhook: '', caBundle: authorityOf(flags, cwd), timeoutSeconds },
    ...reviewIn(request.body),
    ...callTo(url, { url: new URL(request.path, 'https://webhook.invalid').href }),
    deadlineMs: Math.min(timeoutSeconds, flags.timeoutSeconds ?? timeoutSeconds) * 1000,
  };
  const answer = await callWebhook(call);
  const output: CaseOutput = { calls: [], conversion: { conversions: [], notes: [], exchanges: [{ call, answer }] } };
  if (answer.outcome === 'noClient') throw failedCallFault('tls', answer.message, output);
  if (answer.outcome === 'failed') throw failedCallFault(answer.class, answer.message, output);
  return output;
}

/** Returns a recorded review. Throws CliError for one that is not valid JSON. */
function reviewIn(body: string): Pick<WebhookCall, 'apiVersion' | 'uid' | 'body'> {
  try {
    const review = readUnstructured(body);
    return { apiVersion: stringAt(review, 'apiVersion'), uid: stringAt(review, 'request', 'uid'), body };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError || error instanceof JsonTypeError)) throw error;
    throw new CliError('invalid-syntax', `the recorded review is not valid JSON: ${error.message}`, { cause: error });
  }
}
