import { expect, it } from 'vitest';
import { handleCall } from '../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../src/cli/shell/effects.js';
import { clusterStateWith } from '../../support/cluster-state.js';
import { mapOf } from '../../support/map-of.js';
import { thingsDefinition, thingsVersion } from '../../support/things.js';
import { webhookOf, webhooksPatching } from './patching-webhooks.js';

const namespace = mapOf({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
const version = thingsVersion(
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } },
);
const definition = mapOf(thingsDefinition([version]));
const thing = mapOf({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'team', uid: 'u', resourceVersion: '1' },
  spec: { replicas: 1 },
});
const path = '/apis/example.com/v1/namespaces/team/things/a/scale';
const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: 'team' }, spec: { replicas: 3 } };

function configuration(kind: string, ...names: string[]) {
  const [apiVersion, metadata] = ['admissionregistration.k8s.io/v1', { name: 'w' }];
  return mapOf({
    apiVersion,
    kind: `${kind}WebhookConfiguration`,
    metadata,
    webhooks: names.map(name => webhookOf(name, name === 'first' ? 'IfNeeded' : 'Never', '*/scale')),
  });
}

/** Updates the scale; one webhook answers with a patch. Returns the keys of the reviewed objects by webhook, and the answer. */
async function updated(body: object, patching = '', operations: readonly object[] = []) {
  const reviewed: string[] = [];
  const callWebhook = webhooksPatching(patching, operations, (name, object) => reviewed.push(`${name}: ${Object.keys(object).join()}`));
  const objects = [namespace, definition, configuration('Mutating', 'first', 'second'), configuration('Validating', 'last'), thing];
  const call = { method: 'PUT', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
  const { answer } = await handleCall(call, clusterStateWith({ objects, presumesNamespaces: false }), effectsFor(callWebhook));
  return { reviewed, object: JSON.parse(answer.body) };
}

const typed = 'kind,apiVersion,metadata,spec,status';
const untyped = 'apiVersion,kind,metadata,spec,status';
const replace = (at: string, value: unknown) => ({ op: 'replace', path: at, value });

it('shows a Scale of a custom resource without a type after a patch, which always counts as a change', async () => {
  const { reviewed, object } = await updated(scale, 'first', [replace('/spec/replicas', 3)]);
  expect(reviewed).toEqual([`first: ${typed}`, `second: ${untyped}`, `last: ${typed}`]);
  expect(object.spec).toEqual({ replicas: 3 });
});

it('shows it without a type in the second pass', async () => {
  const { reviewed } = await updated(scale, 'second', [replace('/spec/replicas', 3)]);
  expect(reviewed).toEqual([`first: ${typed}`, `second: ${typed}`, `first: ${untyped}`, `last: ${typed}`]);
});

it.each(['kind', 'apiVersion'])('shows it without a type when the client gives it no %s', async missing => {
  const { reviewed } = await updated({ ...scale, [missing]: undefined });
  expect(reviewed).toEqual([`first: ${untyped}`, `second: ${untyped}`, `last: ${typed}`]);
});

// The numbers are those of Go's converter of untyped objects.
it.each([
  [replace('/spec/replicas', 2 ** 40), {}],
  [replace('/spec/replicas', 2), { replicas: 2 }],
])('reads the Scale that a patch made as leniently as the API server: %j', async (operation, spec) => {
  const { object } = await updated(scale, 'first', [operation]);
  expect(object.spec).toEqual(spec);
});

const scheme = 'in scheme "pkg/runtime/scheme.go:111"';

it.each([
  [replace('/apiVersion', 'example.com/v1'), `no kind "Scale" is registered for version "example.com/v1" ${scheme}`],
  [replace('/apiVersion', 'a/b/c'), 'Internal error occurred: unexpected GroupVersion string: a/b/c'],
  [{ op: 'remove', path: '/apiVersion' }, "Object 'apiVersion' is missing in 'unstructured object has no version'"],
  [replace('/kind', 'HorizontalPodAutoscaler'), 'converting (v1.HorizontalPodAutoscaler) to (v1.Scale): unknown conversion'],
  [replace('/spec/replicas', 'x'), 'unable to convert unstructured object to autoscaling/v1, Kind=Scale: unrecognized type: int32'],
])('refuses a patch that makes it something else: %j', async (operation, message) => {
  const { object } = await updated(scale, 'first', [operation]);
  expect(object).toMatchObject({ code: 500, message });
});
