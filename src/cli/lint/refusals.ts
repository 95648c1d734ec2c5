import { handleCall } from '../../apiserver/handle-call.js';
import { writeValue } from '../../encoding/go-json.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../kubernetes/value.js';
import type { Finding } from '../../lint/rule.js';
import { scriptedReplies } from '../cases/scripted-replies.js';
import { effectsFor } from '../effects.js';

/** What the API server itself says against a webhook configuration: its refusal's causes, or its warnings. */
export async function refusalsOf(configuration: ValueMap): Promise<Finding[]> {
  const kind = stringAt(configuration, 'kind');
  const state: ClusterState = { objects: [], presumesNamespaces: true, flags: [] };
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s?fieldValidation=Strict`;
  const call = {
    method: 'POST',
    path,
    contentType: 'application/json',
    userAgent: undefined,
    headers: {},
    body: bodyOf(configuration),
    user: undefined,
  };
  const report = await handleCall(call, state, effectsFor(scriptedReplies([]).callWebhook));
  const { status, warnings } = report.decision;
  const finding = (message: string, severity: Finding['severity']): Finding => ({
    rule: severity === 'error' ? 'api-refuses' : 'api-warns',
    severity,
    configuration: stringAt(configuration, 'metadata', 'name'),
    webhook: '',
    message,
    reason: severity === 'error' ? 'the API server refuses it' : 'the API server warns about it',
    fix: '',
  });
  const causes = listAt(mapAt(status, 'details'), 'causes').map(cause => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`);
  const refusals = status === undefined ? [] : causes.length > 0 ? causes : [stringAt(status, 'message')];
  return [...refusals.map(message => finding(message, 'error')), ...warnings.map(message => finding(message, 'warning'))];
}

/** What only a stored object has is not sent. */
function bodyOf(configuration: ValueMap): Uint8Array {
  const metadata = new Map(mapAt(configuration, 'metadata') ?? []);
  for (const key of ['resourceVersion', 'uid', 'creationTimestamp', 'generation', 'managedFields', 'selfLink']) metadata.delete(key);
  return Buffer.from(writeValue(new Map([...configuration, ['metadata', metadata]]), 'kept'));
}
