import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { CallFailure, ReportedAttributes, SkipReason, WebhookFault, WebhookReport } from '../../apiserver/admission/webhook-report.js';
import type { GroupVersionKind, GroupVersionResource } from '../../kubernetes/group-version.js';
import type { Status, StatusCause, StatusDetails, StatusMetadata } from '../../kubernetes/status.js';
import type { FailureClass, Phase } from '../../kubernetes/webhook-call.js';
import {
  flagSchema,
  integerSchema,
  listSchema,
  numberSchema,
  objectSchema,
  oneOf,
  optionalSchema,
  recordSchema,
  textSchema,
  value,
} from './document-schema.js';

const groupVersionKind = objectSchema<GroupVersionKind>({ group: textSchema, version: textSchema, kind: textSchema });
const groupVersionResource = objectSchema<GroupVersionResource>({ group: textSchema, version: textSchema, resource: textSchema });
/** Class of a failure. */
export const failureClass = oneOf<FailureClass>('dns', 'tcp', 'tls', 'http', 'time', 'body', 'review', 'patch', 'limit');
/** Party at fault. */
export const fault = oneOf<WebhookFault>('webhook', 'configuration', 'certificate', 'network', 'manifest');
/** List of texts. */
export const textsOfEntry = listSchema(textSchema);
/** Texts by name. */
export const textsByName = recordSchema(textSchema);

const status = objectSchema<Status>({
  status: textSchema,
  message: optionalSchema(textSchema),
  reason: optionalSchema(textSchema),
  code: optionalSchema(numberSchema),
  metadata: optionalSchema(
    objectSchema<StatusMetadata>({
      selfLink: optionalSchema(textSchema),
      resourceVersion: optionalSchema(textSchema),
      continue: optionalSchema(textSchema),
      remainingItemCount: optionalSchema(integerSchema),
      shardInfo: optionalSchema(objectSchema({ selector: textSchema })),
    }),
  ),
  details: optionalSchema(
    objectSchema<StatusDetails>({
      name: optionalSchema(textSchema),
      group: optionalSchema(textSchema),
      kind: optionalSchema(textSchema),
      uid: optionalSchema(textSchema),
      causes: optionalSchema(
        listSchema(
          objectSchema<StatusCause>({
            reason: optionalSchema(textSchema),
            message: optionalSchema(textSchema),
            field: optionalSchema(textSchema),
          }),
        ),
      ),
      retryAfterSeconds: optionalSchema(numberSchema),
    }),
  ),
});

const attributes = objectSchema<ReportedAttributes>({
  operation: textSchema,
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: textSchema,
  name: textSchema,
  namespace: textSchema,
  dryRun: flagSchema,
});

const skipReason = objectSchema<Omit<SkipReason, 'conditions' | 'wants'>>({
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
  detail: textSchema,
});

/** Entry of a webhook. */
export const webhookEntry = objectSchema<Omit<WebhookReport, 'exchange' | 'isObjectUnknown'>>({
  phase: oneOf<Phase>('mutating', 'validating'),
  round: numberSchema,
  configuration: textSchema,
  webhook: textSchema,
  attributes,
  outcome: oneOf<WebhookReport['outcome']>('allowed', 'denied', 'skipped', 'callFailed', 'internalError'),
  skipReason: optionalSchema(skipReason),
  sent: optionalSchema(objectSchema({ kind: groupVersionKind, resource: groupVersionResource, subResource: textSchema })),
  warnings: textsOfEntry,
  auditAnnotations: textsByName,
  patch: listSchema(value),
  change: optionalSchema(objectSchema({ before: textSchema, patched: optionalSchema(textSchema), after: textSchema })),
  droppedFields: optionalSchema(textsOfEntry),
  status: optionalSchema(status),
  failure: optionalSchema(objectSchema<CallFailure>({ class: failureClass, message: textSchema, fault, why: textSchema, try: textSchema })),
  failurePolicy: oneOf<'Fail' | 'Ignore'>('Fail', 'Ignore'),
  durationMs: optionalSchema(numberSchema),
  requestBody: optionalSchema(textSchema),
});

/** Entry of a policy. */
export const policy = objectSchema<PolicyReport>({
  phase: oneOf<Phase>('mutating', 'validating'),
  round: numberSchema,
  policy: textSchema,
  binding: optionalSchema(textSchema),
  param: optionalSchema(textSchema),
  attributes,
  outcome: oneOf<PolicyReport['outcome']>('allowed', 'denied', 'warned', 'audited', 'mutated', 'skipped', 'failed'),
  skipReason: optionalSchema(skipReason),
  failurePolicy: oneOf<'Fail' | 'Ignore'>('Fail', 'Ignore'),
  validationActions: textsOfEntry,
  validations: listSchema(
    objectSchema<PolicyReport['validations'][number]>({
      index: numberSchema,
      expression: textSchema,
      outcome: oneOf<'true' | 'false' | 'error'>('true', 'false', 'error'),
      message: optionalSchema(textSchema),
      reason: optionalSchema(textSchema),
    }),
  ),
  mutations: listSchema(
    objectSchema<PolicyReport['mutations'][number]>({
      index: numberSchema,
      patchType: oneOf<'ApplyConfiguration' | 'JSONPatch'>('ApplyConfiguration', 'JSONPatch'),
      expression: textSchema,
      outcome: oneOf<'applied' | 'skipped' | 'error'>('applied', 'skipped', 'error'),
      message: optionalSchema(textSchema),
    }),
  ),
  auditAnnotations: textsByName,
  change: optionalSchema(objectSchema({ before: textSchema, after: textSchema })),
  message: optionalSchema(textSchema),
});
