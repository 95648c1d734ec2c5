import type { WebhookReport } from '../apiserver/admission/webhook-report.js';

type Decided = Pick<WebhookReport, 'outcome' | 'failurePolicy'>;

/** Returns the outcome of a webhook for people: `call failed, ignored`. */
export function outcomeWords({ outcome, failurePolicy }: Decided): string {
  if (outcome === 'skipped') return 'not called';
  if (outcome === 'internalError') return 'internal error';
  if (outcome !== 'callFailed') return outcome;
  return failurePolicy === 'Ignore' ? 'call failed, ignored' : 'call failed';
}
