import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { stringAt } from '../../go/value.js';
import type { MadeCall } from '../pipeline/pipeline.js';
import { normalizedFindingMessage } from './message.js';

/**
 * Returns a text per answer of a webhook, equal for answers that are alike: outcome, message, form of the patch. Durations do not count, so that the
 * same seed makes the same calls.
 */
export function signaturesOf({ report, input }: MadeCall): string[] {
  const at = `${input.target.resource.resource} ${input.operation} ${input.subresource ?? ''}`;
  return report.webhooks.filter(({ outcome }) => outcome !== 'skipped').map(entry => `${at} ${signatureOf(entry)}`);
}

function signatureOf(entry: WebhookReport): string {
  const { webhook, outcome, status, failure, warnings, patch, requestBody } = entry;
  const messages = [status?.message ?? '', failure?.message ?? '', ...warnings].map(text => normalizedFindingMessage(text, [requestBody]));
  const operations = new Set(patch.map(operation => `${stringAt(operation, 'op')} ${formOf(stringAt(operation, 'path'))}`));
  return JSON.stringify([webhook, outcome, messages, [...operations].sort()]);
}

/** The path without indexes and keys of labels and annotations. */
function formOf(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/N').replace(/\/(labels|annotations|data)\/.+$/, '/$1/KEY');
}
