import type { Decision, Report } from '../../apiserver/report.js';
import { flag, listOf, number, object, optional, text, valueMap } from './document-reader.js';
import { policy, texts, textsByName, webhook } from './read-entries.js';

/** Reader of the report of one API call, as `jsonReport` writes it. */
export const report = object<Omit<Report, 'sideWrites'>>({
  kubernetesVersion: text,
  call: object({ method: text, path: text, user: object({ username: text }) }),
  webhooks: listOf(webhook),
  policies: optional(listOf(policy)),
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
