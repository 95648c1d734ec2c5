import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { CallFailure, Fault, ReportedAttributes, SkipReason, WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status, StatusCause, StatusDetails, StatusMetadata } from '../../kubernetes/status.js';
import type { FailureClass, Phase } from '../../kubernetes/webhook-call.js';
import { flag, integer, listOf, number, object, oneOf, optional, recordOf, text, value } from './document-reader.js';

const groupVersionKind = object<GroupVersionKind>({ group: text, version: text, kind: text });
const groupVersionResource = object<GroupVersionResource>({ group: text, version: text, resource: text });
/** Class of a failure. */
export const failureClass = oneOf<FailureClass>('dns', 'tcp', 'tls', 'http', 'time', 'body', 'review', 'patch', 'limit');
/** Party at fault. */
export const fault = oneOf<Fault>('webhook', 'configuration', 'certificate', 'network', 'manifest');
/** List of texts. */
export const texts = listOf(text);
/** Texts by name. */
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
    'excludeResourceRules',
    'binding',
    'params',
  ),
  detail: text,
});

/** Entry of a webhook. */
export const webhook = object<Omit<WebhookReport, 'exchange'>>({
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

/** Entry of a policy. */
export const policy = object<PolicyReport>({
  phase: oneOf<Phase>('mutating', 'validating'),
  round: number,
  policy: text,
  binding: optional(text),
  param: optional(text),
  attributes,
  outcome: oneOf<PolicyReport['outcome']>('allowed', 'denied', 'warned', 'audited', 'mutated', 'skipped', 'failed'),
  skipReason: optional(skipReason),
  failurePolicy: oneOf<'Fail' | 'Ignore'>('Fail', 'Ignore'),
  validationActions: texts,
  validations: listOf(
    object<PolicyReport['validations'][number]>({
      index: number,
      expression: text,
      outcome: oneOf<'true' | 'false' | 'error'>('true', 'false', 'error'),
      message: optional(text),
      reason: optional(text),
    }),
  ),
  mutations: listOf(
    object<PolicyReport['mutations'][number]>({
      index: number,
      patchType: oneOf<'ApplyConfiguration' | 'JSONPatch'>('ApplyConfiguration', 'JSONPatch'),
      expression: text,
      outcome: oneOf<'applied' | 'skipped' | 'error'>('applied', 'skipped', 'error'),
      message: optional(text),
    }),
  ),
  auditAnnotations: textsByName,
  change: optional(object({ before: text, after: text })),
  message: optional(text),
});
