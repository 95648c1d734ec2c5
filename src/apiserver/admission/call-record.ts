import type { ValueMap } from '../../go/value.js';
import type { CallNotes } from '../../kubernetes/call-notes.js';
import type { PolicyReport } from './policy-report.js';
import type { WebhookReport } from './webhook-report.js';

/** Record of one call besides its answer. Entries are in the order of the events. */
export interface CallRecord extends CallNotes {
  readonly auditAnnotations: Map<string, string>;
  readonly webhooks: WebhookReport[];
  readonly policies: PolicyReport[];
  /** Index of the webhook entry that refused the call. */
  decidedBy: number | undefined;
  /** Objects that the call writes besides its own: the usage of quotas. */
  readonly sideWrites: ValueMap[];
}

export function newCallRecord(): CallRecord {
  return { warnings: [], auditAnnotations: new Map(), webhooks: [], policies: [], decidedBy: undefined, notes: [], sideWrites: [] };
}
