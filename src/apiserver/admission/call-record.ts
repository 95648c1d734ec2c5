import type { ValueMap } from '../../go/value.js';
import type { CallNotes } from '../../kubernetes/call-notes.js';
import type { WebhookReport } from './webhook-report.js';

/** What one call leaves behind besides its answer. Written in the order things happen. */
export interface CallRecord extends CallNotes {
  readonly auditAnnotations: Map<string, string>;
  readonly webhooks: WebhookReport[];
  /** Index of the webhook entry that refused the call. */
  decidedBy: number | undefined;
  /** Objects that the call writes beside its own: the usage of quotas. */
  readonly sideWrites: ValueMap[];
}

export function newCallRecord(): CallRecord {
  return { warnings: [], auditAnnotations: new Map(), webhooks: [], decidedBy: undefined, notes: [], sideWrites: [] };
}
