import type { Decision, Report } from '../../apiserver/report.js';
import type { CallStage, CallSteps, Step, StepKind, StepPart, StepPhase } from '../../kubernetes/call-steps.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { flag, listOf, number, object, oneOf, optional, text, valueMap } from './document-reader.js';
import { policy, texts, textsByName, webhook } from './read-entries.js';

const clientWrite = object<ClientWrite>({
  request: text,
  operation: oneOf<ClientWrite['operation']>('create', 'update', 'delete'),
  object: valueMap,
});

const part = object<StepPart>({
  name: oneOf<CallStage>('review', 'connect', 'tls', 'wait', 'read', 'pause', 'answer'),
  startMs: number,
  durationMs: number,
});

const step = object<Step>({
  kind: oneOf<StepKind>(
    ...(['request', 'decode', 'defaults', 'patch', 'managedFields', 'plugin', 'plugins', 'selection', 'webhook'] as const),
    ...(['prepare', 'validation', 'storage'] as const),
  ),
  phase: oneOf<StepPhase>('request', 'mutating', 'object', 'validating', 'answer'),
  name: text,
  round: number,
  startMs: number,
  durationMs: number,
  webhook: optional(number),
  timeoutMs: optional(number),
  parts: optional(listOf(part)),
  error: optional(text),
  before: optional(text),
  after: optional(text),
});

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const report = object<Omit<Report, 'sideWrites'>>({
  kubernetesVersion: text,
  call: object({ method: text, path: text, user: object({ username: text }) }),
  webhooks: listOf(webhook),
  policies: optional(listOf(policy)),
  clientActivity: optional(object<ClientActivity>({ reads: texts, writes: listOf(clientWrite) })),
  timing: optional(object<CallSteps>({ steps: listOf(step), durationMs: number })),
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
