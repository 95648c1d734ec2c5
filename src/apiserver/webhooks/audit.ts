import { goString } from '../../go/json/write.js';
import type { CallRecord } from '../admission/call-record.js';
import type { Webhook } from './webhook.js';

/** Qualified key: a DNS subdomain, one slash, a name of at most 63 characters. */
const qualifiedKey = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

/** Records an audit annotation. An unqualified key is dropped; the first value of a key is kept. Source: apiserver audit/context.go. */
export function annotate(record: CallRecord, key: string, value: string): void {
  const prefix = key.slice(0, key.indexOf('/'));
  if (!qualifiedKey.test(key) || prefix.length > 253 || record.auditAnnotations.has(key)) return;
  // Invalid UTF-8 is not preserved in the audit log's JSON.
  record.auditAnnotations.set(key, Buffer.from(value).toString());
}

/** Position of a mutating call: its round and its index in the list of all mutating webhooks. */
export interface CallPosition {
  readonly round: 0 | 1;
  readonly index: number;
}

/** Records a mutating call, regardless of its result. Source: apiserver mutating/dispatcher.go. */
export function annotateMutation(record: CallRecord, webhook: Webhook, { round, index }: CallPosition, mutated: boolean): void {
  const value = `{"configuration":${goString(webhook.configuration)},"webhook":${goString(webhook.name)},"mutated":${mutated}}`;
  annotate(record, `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`, value);
}

/** Records an applied patch; the operations as compact JSON with sorted keys. */
export function annotatePatch(record: CallRecord, webhook: Webhook, { round, index }: CallPosition, operations: string): void {
  const value = `{"configuration":${goString(webhook.configuration)},"webhook":${goString(webhook.name)},"patch":${operations},"patchType":"JSONPatch"}`;
  annotate(record, `patch.webhook.admission.k8s.io/round_${round}_index_${index}`, value);
}

/** Records a failed call that the failure policy ignores. */
export function annotateFailOpen(record: CallRecord, webhook: Webhook, { round, index }: CallPosition): void {
  const phase = webhook.phase === 'mutating' ? 'mutation' : 'validating';
  annotate(record, `failed-open.${phase}.webhook.admission.k8s.io/round_${round}_index_${index}`, webhook.name);
}
