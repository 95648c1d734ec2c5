import { goString } from '../../go/json/write.js';
import type { CallRecord } from '../admission/call-record.js';
import type { Webhook } from './webhook.js';

/** A DNS subdomain, one slash, a name of at most 63 characters. */
const qualifiedKey = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$/;

/** Records an audit annotation. An unqualified key is dropped, the first value of a key stands. Source: apiserver audit/context.go. */
export function annotate(record: CallRecord, key: string, value: string): void {
  const prefix = key.slice(0, key.indexOf('/'));
  if (!qualifiedKey.test(key) || prefix.length > 253 || record.auditAnnotations.has(key)) return;
  // Bytes that are no UTF-8 do not survive the audit log's JSON.
  record.auditAnnotations.set(key, Buffer.from(value).toString());
}

/** Where a mutating call stands: its round and its place in the list of all mutating webhooks. */
export interface Place {
  readonly round: 0 | 1;
  readonly index: number;
}

/** Notes a mutating call, whatever came of it. Source: apiserver mutating/dispatcher.go. */
export function annotateMutation(record: CallRecord, webhook: Webhook, { round, index }: Place, mutated: boolean): void {
  const value = `{"configuration":${goString(webhook.configuration)},"webhook":${goString(webhook.name)},"mutated":${mutated}}`;
  annotate(record, `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`, value);
}

/** Notes an applied patch; the operations as compact JSON with sorted keys. */
export function annotatePatch(record: CallRecord, webhook: Webhook, { round, index }: Place, operations: string): void {
  const value = `{"configuration":${goString(webhook.configuration)},"webhook":${goString(webhook.name)},"patch":${operations},"patchType":"JSONPatch"}`;
  annotate(record, `patch.webhook.admission.k8s.io/round_${round}_index_${index}`, value);
}

/** Notes a failed call that the policy lets pass. */
export function annotateFailOpen(record: CallRecord, webhook: Webhook, { round, index }: Place): void {
  const phase = webhook.phase === 'mutating' ? 'mutation' : 'validating';
  annotate(record, `failed-open.${phase}.webhook.admission.k8s.io/round_${round}_index_${index}`, webhook.name);
}
