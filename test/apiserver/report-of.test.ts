import { expect, it } from 'vitest';
import { handleCall } from '../../src/apiserver/handle-call.js';
import { effectsFor } from '../../src/cli/shell/effects.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeValue } from '../../src/go/json/write.js';
import { toValue, type ValueMap } from '../../src/go/value.js';
import { flagValues, serverOptions } from '../../src/kubernetes/server-options.js';
import { clusterStateWith } from '../support/cluster-state.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, n: 1.5 };

async function reportCall(path: string, object: object, more: object = {}) {
  const state = clusterStateWith({
    objects: [toValue(definition) as ValueMap],
    options: serverOptions(flagValues(['--disable-admission-plugins=ServiceAccount'])),
  });
  const callWebhook = () => Promise.reject(new Error('no webhook is registered'));
  const call = { method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(object)), ...more };
  return handleCall(call, state, effectsFor(callWebhook));
}

it.each([
  ['a pod', '/api/v1/namespaces/n/pods', pod, 201, {}],
  ['a service', '/api/v1/namespaces/n/services', service, 201, {}],
  ['a custom resource', '/apis/example.com/v1/namespaces/n/things', thing, 201, {}],
  ['a custom resource that calls itself a failure', '/apis/example.com/v1/namespaces/n/things', { ...thing, status: 'Failure' }, 201, {}],
  ['an answer that is written to be read', '/api/v1/namespaces/n/pods?pretty=true', pod, 201, {}],
  [
    'nothing but the metadata',
    '/api/v1/namespaces/n/pods',
    pod,
    201,
    { headers: { Accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } },
  ],
])('the object is that of the body: %s', async (_, path, object, status, more) => {
  const { answer, decision } = await reportCall(path, object, more);
  expect([answer.status, decision.status]).toEqual([status, undefined]);
  expect(decision.object && writeValue(decision.object, 'kept')).toBe(writeValue(readUnstructured(answer.body), 'kept'));
});

it('a Status is not an object', async () => {
  const { answer, decision } = await reportCall('/api/v1/namespaces/n/pods', { ...pod, spec: {} });
  expect([answer.status, decision.object]).toEqual([422, undefined]);
  expect(decision.status && writeValue(decision.status, 'kept')).toBe(writeValue(readUnstructured(answer.body), 'kept'));
});
