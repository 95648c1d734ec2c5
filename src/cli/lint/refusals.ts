import { writeValue } from '../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { isDefinition } from '../../kubernetes/definition-resources.js';
import { kubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { Finding, Found } from '../../lint/rule.js';
import { answeredCall } from '../calls/run-calls.js';
import { scriptedReplies } from '../cases/scripted-replies.js';
import { effectsFor } from '../effects.js';
import { pointerInDefinition, pointerOfField, pointerOfQuoted } from './field-pointer.js';

/**
 * What the API server itself says against a webhook configuration or a definition: its refusal's causes, or its warnings. Fields that it does not
 * know are refused, as kubectl wants it, or only warned about. Throws CliError for one that cannot be looked at: schemas may be nested too deep.
 */
export async function refusalsOf(object: ValueMap, fieldValidation: 'Strict' | 'Warn' = 'Strict'): Promise<Found[]> {
  const { group, kind } = kindOf(object);
  const found = (message: string, severity: Finding['severity'], pointer: string): Found => {
    const refused = severity === 'error';
    const finding = {
      rule: refused ? 'api-refuses' : 'api-warns',
      severity,
      configuration: stringAt(object, 'metadata', 'name'),
      webhook: '',
      message,
      reason: refused ? 'the API server refuses it' : 'the API server warns about it',
      fix: '',
    };
    return { finding, place: { object, pointer: isDefinition(object) ? pointerInDefinition(pointer) : pointer } };
  };
  const apiVersion = stringAt(object, 'apiVersion');
  if (apiVersion !== `${group}/v1`) return [found(`no matches for kind "${kind}" in version "${apiVersion}"`, 'error', '/apiVersion')];
  const state: ClusterState = { objects: [], presumesNamespaces: true, flags: [], kubernetesVersion: kubernetesMinor() };
  const path = `/apis/${apiVersion}/${kind.toLowerCase()}s?fieldValidation=${fieldValidation}`;
  const call = {
    method: 'POST',
    path,
    contentType: 'application/json',
    userAgent: undefined,
    headers: {},
    body: bodyOf(object),
    user: undefined,
  };
  const { status, warnings } = (await answeredCall(call, state, effectsFor(scriptedReplies([]).callWebhook))).decision;
  const causes = listAt(mapAt(status, 'details'), 'causes');
  const message = stringAt(status, 'message');
  const refusals =
    causes.length > 0
      ? causes.map(cause => ({
          text: `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
          pointer: pointerOfField(stringAt(cause, 'field')),
        }))
      : message === ''
        ? []
        : [{ text: message, pointer: pointerOfQuoted(message) }];
  return [
    ...refusals.map(({ text, pointer }) => found(text, 'error', pointer)),
    ...warnings.map(text => found(text, 'warning', pointerOfQuoted(text))),
  ];
}

/** What only a stored object has is not sent. */
function bodyOf(object: ValueMap): Uint8Array {
  const metadata = new Map(mapAt(object, 'metadata') ?? []);
  for (const key of ['resourceVersion', 'uid', 'creationTimestamp', 'generation', 'managedFields', 'selfLink']) metadata.delete(key);
  const sent = new Map([...object, ['metadata', metadata] as const]);
  sent.delete('status');
  return Buffer.from(writeValue(sent, 'kept'));
}
