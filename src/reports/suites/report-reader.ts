import type { Decision, Report } from '../../apiserver/report.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { flag, listOf, number, object, oneOf, optional, text, valueMap } from './document-reader.js';
import { policy, texts, textsByName, webhook } from './read-entries.js';

const clientWrite = object<ClientWrite>({
  request: text,
  operation: oneOf<ClientWrite['operation']>('create', 'update', 'delete'),
  object: valueMap,
});

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const report = object<Omit<Report, 'sideWrites' | 'timing'>>({
  kubernetesVersion: text,
  call: object({ method: text, path: text, user: object({ username: text }) }),
  webhooks: listOf(webhook),
  policies: optional(listOf(policy)),
  clientActivity: optional(object<ClientActivity>({ reads: texts, writes: listOf(clientWrite) })),
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
