import type { CallNotes } from '../../kubernetes/call-notes.js';
import type { PolicyReport } from './policy-report.js';
import type { WebhookReport } from './webhook-report.js';

/** What one call leaves behind besides its answer. Written in the order things happen. */
export interface CallRecord extends CallNotes {
  readonly auditAnnotations: Map<string, string>;
  readonly webhooks: WebhookReport[];
  readonly policies: PolicyReport[];
  /** Index of the webhook entry that refused the call. */
  decidedBy: number | undefined;
}

export function newCallRecord(): CallRecord {
  return { warnings: [], auditAnnotations: new Map(), webhooks: [], policies: [], decidedBy: undefined, notes: [] };
}
