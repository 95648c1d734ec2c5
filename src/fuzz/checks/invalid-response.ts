import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { CallCheck, Shown } from './finding.js';

const firstServerError = 500;

/** An answer that the API server rejects: not a review, another uid, an error status, a patch that does not decode or apply. */
export const invalidResponse: CallCheck = ({ report }) => report.webhooks.flatMap(rejected);

function rejected({ webhook, failure, exchange }: WebhookReport): Shown[] {
  if (failure === undefined || exchange?.answer.outcome !== 'answered' || exchange.answer.statusCode >= firstServerError) return [];
  return [{ check: 'invalid-response', webhook, message: `gives an answer that the API server rejects: ${failure.message}` }];
}
