import type { Decision, Report } from '../../apiserver/report/report.js';
import type { CallStage, CallSteps, Step, StepKind, StepPart, StepPhase } from '../../kubernetes/call-steps.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { flag, listOf, number, objectOf, oneOf, optional, text, valueMap } from './document-schema.js';
import { policy, texts, textsByName, webhook } from './read-entries.js';

const clientWrite = objectOf<ClientWrite>({
  request: text,
  operation: oneOf<ClientWrite['operation']>('create', 'update', 'delete'),
  object: valueMap,
});

const stepPart = objectOf<StepPart>({
  name: oneOf<CallStage>('review', 'connect', 'tls', 'wait', 'read', 'pause', 'answer'),
  startMs: number,
  durationMs: number,
});

const step = objectOf<Step>({
  kind: oneOf<StepKind>(
    ...(['request', 'decode', 'defaults', 'patch', 'managedFields', 'plugin', 'plugins'] as const),
    ...(['selection', 'webhook', 'prepare', 'validation', 'storage'] as const),
  ),
  phase: oneOf<StepPhase>('request', 'mutating', 'object', 'validating', 'answer'),
  name: text,
  round: number,
  startMs: number,
  durationMs: number,
  webhook: optional(number),
  timeoutMs: optional(number),
  parts: optional(listOf(stepPart)),
  error: optional(text),
  before: optional(text),
  after: optional(text),
});

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const report = objectOf<Omit<Report, 'sideWrites'>>({
  kubernetesVersion: text,
  call: objectOf({ method: text, path: text, user: objectOf({ username: text }) }),
  webhooks: listOf(webhook),
  policies: optional(listOf(policy)),
  clientActivity: optional(objectOf<ClientActivity>({ reads: texts, writes: listOf(clientWrite) })),
  answer: objectOf({ status: number, warnings: texts, headers: textsByName, body: text }),
  decision: objectOf<Omit<Decision, 'decidedBy'>>({
    allowed: flag,
    code: number,
    status: optional(valueMap),
    warnings: texts,
    auditAnnotations: textsByName,
    object: optional(valueMap),
  }),
  notes: texts,
  timing: optional(objectOf<CallSteps>({ durationMs: number, steps: listOf(step) })),
});
