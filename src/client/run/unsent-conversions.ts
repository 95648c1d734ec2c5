import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { stringAt, valueAt } from '../../go/value.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import type { CallReport } from './call-report.js';

/**
 * Adds the `group/version` to which a conversion webhook would have converted objects to `unknownVersions`: what `callWebhook` answers in its place says nothing about
 * these objects.
 */
export function recordUnsentConversions(callWebhook: CallWebhook, unknownVersions: Set<string>): CallWebhook {
  return async (call, onStage) => {
    const answer = await callWebhook(call, onStage);
    if (call.phase === 'conversion') unknownVersions.add(desiredVersionOf(call.body));
    return answer;
  };
}

/**
 * Returns a report without what depends on conversions that were not sent: the reviews with objects in versions that only the conversion webhook can make, and
 * conversions of such objects. Notes name the webhooks concerned.
 */
export function withoutUnknownObjects(report: CallReport): CallReport {
  const unknownVersions = new Set<string>();
  const unknownReviews = new Set<string>();
  const exchanges = report.exchanges.filter(({ call: { phase, body } }) => {
    const isUnknown = unknownVersions.has(phase === 'conversion' ? convertedVersionOf(body) : reviewedVersionOf(body));
    if (phase === 'conversion') unknownVersions.add(desiredVersionOf(body));
    else if (isUnknown) unknownReviews.add(body);
    return !isUnknown;
  });
  if (unknownVersions.size === 0) return report;
  const webhooks = report.report.webhooks.map(entry => (unknownReviews.has(entry.requestBody ?? '') ? withoutObject(entry) : entry));
  const notes = [...report.report.notes, ...new Set(webhooks.flatMap(noteOf))];
  return { ...report, exchanges, report: { ...report.report, webhooks, notes } };
}

function withoutObject(entry: WebhookReport): WebhookReport {
  return { ...entry, requestBody: undefined, exchange: undefined, isObjectUnknown: true };
}

function noteOf({ isObjectUnknown, webhook, sent }: WebhookReport): string[] {
  if (isObjectUnknown !== true || sent === undefined) return [];
  const subject = `the review of ${webhook} and the result of its match conditions are unknown`;
  return [`${subject}: they depend on the object in ${apiVersionOf(sent.kind)}, which only the conversion webhook can make`];
}

function desiredVersionOf(body: string): string {
  return stringAt(readUnstructured(body), 'request', 'desiredAPIVersion');
}

/** Objects of one review have the same version. */
function convertedVersionOf(body: string): string {
  return stringAt(readUnstructured(body), 'request', 'objects', 0, 'apiVersion');
}

function reviewedVersionOf(body: string): string {
  const kind = valueAt(readUnstructured(body), 'request', 'kind');
  return apiVersionOf({ group: stringAt(kind, 'group'), version: stringAt(kind, 'version') });
}
