import type { WebhookReport } from './webhook-report.js';

/** What one call leaves behind besides its answer. Written in the order things happen. */
export interface CallRecord {
  /** Texts of Warning headers, as given. */
  readonly warnings: string[];
  readonly auditAnnotations: Map<string, string>;
  readonly webhooks: WebhookReport[];
  /** The name the store made up, once it has. */
  generatedName: string | undefined;
  /** What is not reproduced, and what was presumed. */
  readonly notes: string[];
}

export function newCallRecord(): CallRecord {
  return { warnings: [], auditAnnotations: new Map(), webhooks: [], notes: [], generatedName: undefined };
}

/** Adds a note once. */
export function addNote(record: CallRecord, note: string): void {
  if (!record.notes.includes(note)) record.notes.push(note);
}
