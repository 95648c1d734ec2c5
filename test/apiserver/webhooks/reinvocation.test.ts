import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import type { ValueMap } from '../../../src/go/value.js';
import type { ApiCall } from '../../../src/kubernetes/api-call.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { webhookOf, webhooksPatching } from './patching-webhooks.js';

const configuration = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'm' },
  webhooks: [webhookOf('first', 'IfNeeded'), webhookOf('second', 'Never')],
});
const definition = mapOf(thingsDefinition([thingsVersion()]));
const namespace = mapOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });

/** Makes a call; the second webhook sets the name that the object has. Returns the called webhooks and the object. */
async function called(call: Pick<ApiCall, 'method' | 'path'> & { readonly object: object }, stored: readonly ValueMap[] = []) {
  const names: string[] = [];
  const callWebhook = webhooksPatching('second', [{ op: 'replace', path: '/metadata/name', value: 'a' }], name => names.push(name));
  const state = clusterStateWith({ objects: [namespace, definition, configuration, ...stored], presumesNamespaces: false });
  const { method, path, object } = call;
  const sent = { method, path, contentType: 'application/json', body: Buffer.from(JSON.stringify(object)) };
  const { answer } = await handleCall(sent, state, effectsFor(callWebhook));
  return { names, object: JSON.parse(answer.body) };
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
const configMaps = '/api/v1/namespaces/team/configmaps';

// Go holds the time of a new owner with nanoseconds, and reads it from the patched text without them.
it('follows a patch without effect, because it changes the time of a new owner', async () => {
  const created = await called({ method: 'POST', path: configMaps, object: configMap });
  expect(created.names).toEqual(['first', 'second', 'first']);
  const labeled = { ...created.object, metadata: { ...created.object.metadata, labels: { a: 'b' } } };
  const stored = [mapOf(created.object)];
  expect((await called({ method: 'PUT', path: `${configMaps}/a`, object: labeled }, stored)).names).toEqual(['first', 'second', 'first']);
});

it('does not follow a patch without effect on an object without new owners', async () => {
  const { object } = await called({ method: 'POST', path: configMaps, object: configMap });
  const again = await called({ method: 'PUT', path: `${configMaps}/a`, object }, [mapOf(object)]);
  expect(again.names).toEqual(['first', 'second']);
});

it('does not follow a patch without effect on a custom resource, whose times are texts', async () => {
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  const { names } = await called({ method: 'POST', path: '/apis/example.com/v1/namespaces/team/things', object: thing });
  expect(names).toEqual(['first', 'second']);
});
