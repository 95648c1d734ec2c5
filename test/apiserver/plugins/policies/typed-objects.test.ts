import { expect, it } from 'vitest';
import type { KubernetesMinor } from '../../../../src/kubernetes/kubernetes-version.js';
import { write } from '../../../support/written-object.js';

const apiVersion = 'admissionregistration.k8s.io/v1';
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i', command: ['a', 'b'] }] },
};

/** Returns what is wrong with a pod by a policy of this expression: undefined if nothing is. */
async function problemOf(expression: string, kubernetesVersion: KubernetesMinor): Promise<string | undefined> {
  const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] };
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints, validations: [{ expression, message: 'is false' }] },
  };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'] },
  };
  const { message } = await write({ path: '/api/v1/namespaces/n/pods', object: pod, around: [policy, binding], kubernetesVersion });
  return message?.replace(/^.* denied request: /, '').replace(/^expression '.*' resulted in error: /, '');
}

it.each([
  ["object.spec.containers == 'a'", 'is false', 'no such overload'],
  ["'a' == object.spec.containers", 'is false', 'is false'],
  ["object.spec.containers != 'a'", undefined, undefined],
  ["object.metadata.labels == 'x'", 'is false', 'no such overload'],
  ['object.spec == 1', 'is false', 'no such overload'],
  ['object.spec == null', 'is false', 'is false'],
  ["object.metadata.labels == {'app': 'web'}", undefined, undefined],
  ['object.spec == object.spec', undefined, undefined],
  ["object.spec.containers.exists(x, x == 'a')", 'is false', 'no such overload'],
  ['1 in object.metadata.labels', 'is false', 'unsupported map key type: types.Int'],
  ["object.metadata.labels[dyn(1)] == 'x'", 'no such key: 1', 'unsupported map key type: types.Int'],
  ["object.spec.containers[0u].name == 'c'", undefined, 'unsupported index type: types.Uint'],
  ["request.options == 'x'", 'is false', 'is false'],
])('compares built-in objects by their Go types since v1.37: %s', async (expression, before, after) => {
  expect([await problemOf(expression, 'v1.36'), await problemOf(expression, 'v1.37')]).toEqual([before, after]);
});

it('texts that a function returns are a list in an applied configuration since v1.37', async () => {
  const policy = {
    apiVersion,
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      reinvocationPolicy: 'Never',
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: "Object{metadata: Object.metadata{finalizers: 'a1b2'.findAll('[0-9]')}}" },
        },
      ],
    },
  };
  const binding = { apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata: { name: 'b' }, spec: { policyName: 'p' } };
  const answers = await Promise.all(
    (['v1.36', 'v1.37'] as const).map(kubernetesVersion =>
      write({ path: '/api/v1/namespaces/n/pods', object: pod, around: [policy, binding], kubernetesVersion }),
    ),
  );
  expect(answers[0]?.message).toContain('.metadata.finalizers: expected list, got &{[1 2]}');
  expect(answers[1]?.message).toContain('metadata.finalizers[0]: Invalid value: "1"');
});
