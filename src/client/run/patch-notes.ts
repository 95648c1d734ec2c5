import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { findRfcDeviation } from '../../apiserver/patches/rfc-deviations.js';
import type { Report } from '../../apiserver/report/report.js';
import { writeValue } from '../../go/json/write.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { similarField } from './similar-field.js';

type PatchedReport = WebhookReport & { readonly change: NonNullable<WebhookReport['change']> };

/** Returns whether a webhook was called and answered with a patch. */
export function isPatched(entry: WebhookReport): entry is PatchedReport {
  return entry.change !== undefined && entry.patch.length > 0;
}

/** Returns notes about what patches do and their authors may not expect: fields that are dropped, and what other servers may reject. */
export async function patchNotes(report: Report, state: ClusterState): Promise<string[]> {
  return [...report.webhooks.flatMap(entry => droppedNotes(entry, state)), ...(await noteLeniency(report))];
}

/** Returns a note for each patch that the API server accepts but RFC 6902 does not allow: other tools and servers may reject it. */
export async function noteLeniency({ webhooks }: Report): Promise<string[]> {
  const notes: string[] = [];
  for (const entry of webhooks) {
    if (!isPatched(entry)) continue;
    const sentence = await findRfcDeviation(entry.change.before, writeValue([...entry.patch], 'kept'));
    if (sentence !== undefined) notes.push(`the patch of ${entry.webhook} ${sentence}`);
  }
  return notes;
}

function droppedNotes({ droppedFields = [], webhook, sent, attributes }: WebhookReport, state: ClusterState): string[] {
  const kind = sent?.kind ?? attributes.kind;
  return droppedFields.map(field => {
    const similar = similarField(field, kind, state);
    const suggestion = similar === undefined ? '' : `; did you mean "${similar}"?`;
    return `the patch of ${webhook} sets ${field}, a field that ${kind.kind} does not have: the API server drops it${suggestion}`;
  });
}
