import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/effects.js';
import type { ValueMap } from '../../../src/go/value.js';
import type { ApiCall } from '../../../src/kubernetes/api-call.js';
import type { CallWebhook } from '../../../src/kubernetes/webhook-call.js';
import { mapOf } from '../../support/map-of.js';

function webhook(name: string, reinvocationPolicy: string): object {
  return {
    name,
    clientConfig: { url: `https://127.0.0.1:1/${name}`, caBundle: '' },
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: '*' }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    timeoutSeconds: 10,
    namespaceSelector: {},
    objectSelector: {},
    reinvocationPolicy,
  };
}

const configuration = mapOf({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'm' },
  webhooks: [webhook('first.example.com', 'IfNeeded'), webhook('second.example.com', 'Never')],
});
const definition = mapOf({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});
const namespace = mapOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });

/** Makes a call; the second webhook sets the name that the object has. Returns the called webhooks and the object. */
async function called(call: Pick<ApiCall, 'method' | 'path'> & { readonly object: object }, stored: readonly ValueMap[] = []) {
  const names: string[] = [];
  const callWebhook: CallWebhook = async ({ body, url }) => {
    const { request } = JSON.parse(body);
    const name = new URL(url).pathname.slice(1);
    names.push(name);
    const patch = Buffer.from('[{"op":"replace","path":"/metadata/name","value":"a"}]').toString('base64');
    const change = name === 'second.example.com' ? { patch, patchType: 'JSONPatch' } : {};
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, ...change } };
    return { outcome: 'answered', statusCode: 200, headers: [], body: Buffer.from(JSON.stringify(review)), durationMs: 0 };
  };
  const state = { objects: [namespace, definition, configuration, ...stored], presumesNamespaces: false, flags: [] };
  const { method, path, object } = call;
  const sent = { method, path, contentType: 'application/json', body: Buffer.from(JSON.stringify(object)) };
  const { answer } = await handleCall(sent, state, effectsFor(callWebhook));
  return { names: names.map(name => name.split('.')[0]), object: JSON.parse(answer.body) };
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
