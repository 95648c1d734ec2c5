import type { Decision, Report } from '../../apiserver/report/report.js';
import type { AnyCallStep, CallStage, CallSteps, StepKind, StepPart, StepPhase } from '../../kubernetes/call-steps.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { flagSchema, listSchema, numberSchema, objectSchema, oneOf, optionalSchema, textSchema, valueMap } from './document-schema.js';
import { policy, textsByName, textsOfEntry, webhookEntry } from './read-entries.js';

const clientWrite = objectSchema<ClientWrite>({
  request: textSchema,
  operation: oneOf<ClientWrite['operation']>('create', 'update', 'delete'),
  object: valueMap,
});

const stepPart = objectSchema<StepPart>({
  name: oneOf<CallStage>('review', 'connect', 'tls', 'wait', 'read', 'pause', 'answer'),
  startMs: numberSchema,
  durationMs: numberSchema,
});

const step = objectSchema<AnyCallStep>({
  kind: oneOf<StepKind>(
    ...(['request', 'decode', 'defaults', 'patch', 'managedFields', 'plugin', 'plugins', 'conversion'] as const),
    ...(['selection', 'webhook', 'prepare', 'validation', 'storage'] as const),
  ),
  phase: oneOf<StepPhase>('request', 'mutating', 'object', 'validating', 'answer'),
  name: textSchema,
  round: numberSchema,
  startMs: numberSchema,
  durationMs: numberSchema,
  webhook: optionalSchema(numberSchema),
  timeoutMs: optionalSchema(numberSchema),
  parts: optionalSchema(listSchema(stepPart)),
  error: optionalSchema(textSchema),
  before: optionalSchema(textSchema),
  after: optionalSchema(textSchema),
});

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const reportSchema = objectSchema<Omit<Report, 'sideWrites'>>({
  kubernetesVersion: textSchema,
  call: objectSchema({ method: textSchema, path: textSchema, user: objectSchema({ username: textSchema }) }),
  webhooks: listSchema(webhookEntry),
  policies: optionalSchema(listSchema(policy)),
  clientActivity: optionalSchema(objectSchema<ClientActivity>({ reads: textsOfEntry, writes: listSchema(clientWrite) })),
  answer: objectSchema({ status: numberSchema, warnings: textsOfEntry, headers: textsByName, body: textSchema }),
  decision: objectSchema<Omit<Decision, 'decidedBy'>>({
    allowed: flagSchema,
    code: numberSchema,
    status: optionalSchema(valueMap),
    warnings: textsOfEntry,
    auditAnnotations: textsByName,
    object: optionalSchema(valueMap),
  }),
  notes: textsOfEntry,
  timing: optionalSchema(objectSchema<CallSteps>({ durationMs: numberSchema, steps: listSchema(step) })),
});
