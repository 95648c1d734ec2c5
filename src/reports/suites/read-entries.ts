import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { CallFailure, Fault, ReportedAttributes, SkipReason, WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status, StatusCause, StatusDetails, StatusMetadata } from '../../kubernetes/status.js';
import type { FailureClass, Phase } from '../../kubernetes/webhook-call.js';
import { flag, integer, listOf, number, objectOf, oneOf, optional, recordOf, text, value } from './document-schema.js';

const groupVersionKind = objectOf<GroupVersionKind>({ group: text, version: text, kind: text });
const groupVersionResource = objectOf<GroupVersionResource>({ group: text, version: text, resource: text });
/** Class of a failure. */
export const failureClass = oneOf<FailureClass>('dns', 'tcp', 'tls', 'http', 'time', 'body', 'review', 'patch', 'limit');
/** Party at fault. */
export const fault = oneOf<Fault>('webhook', 'configuration', 'certificate', 'network', 'manifest');
/** List of texts. */
export const texts = listOf(text);
/** Texts by name. */
export const textsByName = recordOf(text);

const status = objectOf<Status>({
  status: text,
  message: optional(text),
  reason: optional(text),
  code: optional(number),
  metadata: optional(
    objectOf<StatusMetadata>({
      selfLink: optional(text),
      resourceVersion: optional(text),
      continue: optional(text),
      remainingItemCount: optional(integer),
      shardInfo: optional(objectOf({ selector: text })),
    }),
  ),
  details: optional(
    objectOf<StatusDetails>({
      name: optional(text),
      group: optional(text),
      kind: optional(text),
      uid: optional(text),
      causes: optional(listOf(objectOf<StatusCause>({ reason: optional(text), message: optional(text), field: optional(text) }))),
      retryAfterSeconds: optional(number),
    }),
  ),
});

const attributes = objectOf<ReportedAttributes>({
  operation: text,
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: text,
  name: text,
  namespace: text,
  dryRun: flag,
});

const skipReason = objectOf<Omit<SkipReason, 'conditions'>>({
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
export const webhook = objectOf<Omit<WebhookReport, 'exchange' | 'isObjectUnknown' | 'droppedFields'>>({
  phase: oneOf<Phase>('mutating', 'validating'),
  round: number,
  configuration: text,
  webhook: text,
  attributes,
  outcome: oneOf<WebhookReport['outcome']>('allowed', 'denied', 'skipped', 'callFailed', 'internalError'),
  skipReason: optional(skipReason),
  sent: optional(objectOf({ kind: groupVersionKind, resource: groupVersionResource, subResource: text })),
  warnings: texts,
  auditAnnotations: textsByName,
  patch: listOf(value),
  change: optional(objectOf({ before: text, after: text })),
  status: optional(status),
  failure: optional(objectOf<CallFailure>({ class: failureClass, message: text, fault, why: text, try: text })),
  failurePolicy: oneOf<'Fail' | 'Ignore'>('Fail', 'Ignore'),
  durationMs: optional(number),
  requestBody: optional(text),
});

/** Entry of a policy. */
export const policy = objectOf<PolicyReport>({
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
    objectOf<PolicyReport['validations'][number]>({
      index: number,
      expression: text,
      outcome: oneOf<'true' | 'false' | 'error'>('true', 'false', 'error'),
      message: optional(text),
      reason: optional(text),
    }),
  ),
  mutations: listOf(
    objectOf<PolicyReport['mutations'][number]>({
      index: number,
      patchType: oneOf<'ApplyConfiguration' | 'JSONPatch'>('ApplyConfiguration', 'JSONPatch'),
      expression: text,
      outcome: oneOf<'applied' | 'skipped' | 'error'>('applied', 'skipped', 'error'),
      message: optional(text),
    }),
  ),
  auditAnnotations: textsByName,
  change: optional(objectOf({ before: text, after: text })),
  message: optional(text),
});
