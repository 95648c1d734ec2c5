import type { CallFailure, Fault, ReportedAttributes, SkipReason, WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { Decision, Report } from '../../apiserver/report.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status, StatusCause, StatusDetails, StatusMetadata } from '../../kubernetes/status.js';
import type { FailureClass, Phase } from '../../kubernetes/webhook-call.js';
import { flag, integer, listOf, number, object, oneOf, optional, recordOf, text, value, valueMap } from './document-reader.js';

const groupVersionKind = object<GroupVersionKind>({ group: text, version: text, kind: text });
const groupVersionResource = object<GroupVersionResource>({ group: text, version: text, resource: text });
export const failureClass = oneOf<FailureClass>('dns', 'tcp', 'tls', 'http', 'time', 'body', 'review', 'patch', 'limit');
export const fault = oneOf<Fault>('webhook', 'configuration', 'certificate', 'network', 'manifest');
export const texts = listOf(text);
export const textsByName = recordOf(text);

const status = object<Status>({
  status: text,
  message: optional(text),
  reason: optional(text),
  code: optional(number),
  metadata: optional(
    object<StatusMetadata>({
      selfLink: optional(text),
      resourceVersion: optional(text),
      continue: optional(text),
      remainingItemCount: optional(integer),
      shardInfo: optional(object({ selector: text })),
    }),
  ),
  details: optional(
    object<StatusDetails>({
      name: optional(text),
      group: optional(text),
      kind: optional(text),
      uid: optional(text),
      causes: optional(listOf(object<StatusCause>({ reason: optional(text), message: optional(text), field: optional(text) }))),
      retryAfterSeconds: optional(number),
    }),
  ),
});

const attributes = object<ReportedAttributes>({
  operation: text,
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: text,
  name: text,
  namespace: text,
  dryRun: flag,
});

const skipReason = object<Omit<SkipReason, 'conditions'>>({
  predicate: oneOf<SkipReason['predicate']>(
    'rules',
    'namespaceSelector',
    'objectSelector',
    'matchConditions',
    'exempt',
    'dryRun',
    'reinvocation',
  ),
  detail: text,
});

const webhook = object<Omit<WebhookReport, 'exchange'>>({
  phase: oneOf<Phase>('mutating', 'validating'),
  round: number,
  configuration: text,
  webhook: text,
  attributes,
  outcome: oneOf<WebhookReport['outcome']>('allowed', 'denied', 'skipped', 'callFailed', 'internalError'),
  skipReason: optional(skipReason),
  sent: optional(object({ kind: groupVersionKind, resource: groupVersionResource, subResource: text })),
  warnings: texts,
  auditAnnotations: textsByName,
  patch: listOf(value),
  change: optional(object({ before: text, after: text })),
  status: optional(status),
  failure: optional(object<CallFailure>({ class: failureClass, message: text, fault, why: text, try: text })),
  failurePolicy: oneOf<'Fail' | 'Ignore'>('Fail', 'Ignore'),
  durationMs: optional(number),
  requestBody: optional(text),
});

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const report = object<Omit<Report, 'sideWrites'>>({
  kubernetesVersion: text,
  call: object({ method: text, path: text, user: object({ username: text }) }),
  webhooks: listOf(webhook),
  answer: object({ status: number, warnings: texts, headers: textsByName, body: text }),
  decision: object<Omit<Decision, 'decidedBy'>>({
    allowed: flag,
    code: number,
    status: optional(valueMap),
    warnings: texts,
    auditAnnotations: textsByName,
    object: optional(valueMap),
  }),
  notes: texts,
});
