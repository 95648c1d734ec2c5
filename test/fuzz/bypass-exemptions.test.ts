import { describe, expect, it } from 'vitest';
import { type Policy, waysAround } from './holes.js';

const pods = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods', 'pods/ephemeralcontainers', 'pods/resize', 'pods/status'],
  operations: ['CREATE', 'UPDATE'],
};
const services = { apiGroups: [''], apiVersions: ['v1'], resources: ['services', 'services/status'], operations: ['CREATE', 'UPDATE'] };
const claims = { apiGroups: ['example.com'], apiVersions: ['*'], resources: ['claims'], operations: ['CREATE', 'UPDATE'] };

const balanced = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a', namespace: 'default' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
};
const isBalanced: Policy['refuses'] = ({ object }) => object?.spec?.type === 'LoadBalancer';
const condition = (expression: string): object => ({ matchConditions: [{ name: 'exempt', expression }] });
const tight: Policy = { rules: [services], refuses: isBalanced };

const privileged = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default' },
  spec: { containers: [{ name: 'a', image: 'nginx', securityContext: { privileged: true } }] },
};
const root = { ...privileged, spec: { containers: [{ name: 'a', image: 'nginx', securityContext: { runAsUser: 0 } }] } };

const claim = { apiVersion: 'example.com/v1', kind: 'Claim', metadata: { name: 'a', namespace: 'default' }, spec: { replicas: 9 } };
const claimDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'claims.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'claims', singular: 'claim', kind: 'Claim', listKind: 'ClaimList' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }, status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

/** A policy of the API server against privileged containers, and its binding. */
function admissionPolicy(expression: string, { policy = {}, binding = {} }: { policy?: object; binding?: object } = {}): object[] {
  return [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'strict' },
      spec: {
        matchConstraints: { resourceRules: [pods] },
        validations: [{ expression }],
        ...policy,
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'strict' },
      spec: { policyName: 'strict', validationActions: ['Deny'], ...binding },
    },
  ];
}
const unprivileged = (list: string): string =>
  `!has(object.spec.${list}) || object.spec.${list}.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)`;
const allUnprivileged = ['containers', 'initContainers', 'ephemeralContainers'].map(list => `(${unprivileged(list)})`).join(' && ');
const never: Policy = { rules: [], refuses: () => false };

interface Hole {
  readonly hole: string;
  readonly policy: Policy;
  readonly forbidden: object;
  /** Title of one of the ways. */
  readonly way: string | RegExp;
}

const holes: readonly Hole[] = [
  {
    ...{ hole: 'a namespace in a condition', policy: { ...tight, fields: condition("request.namespace != 'legacy'") } },
    ...{ forbidden: balanced, way: 'the namespace legacy' },
  },
  {
    hole: 'a namespace in a condition of a policy that refuses every object of the kind',
    policy: { ...tight, refuses: () => true, fields: condition("request.namespace != 'legacy'") },
    ...{ forbidden: balanced, way: 'the namespace legacy' },
  },
  {
    hole: 'a namespace that a selector names',
    policy: {
      ...tight,
      fields: {
        namespaceSelector: {
          matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'infra'] }],
        },
      },
    },
    ...{ forbidden: balanced, way: 'the namespace infra' },
  },
  {
    hole: 'a label of the namespace itself',
    policy: {
      ...tight,
      fields: { namespaceSelector: { matchLabels: { policy: 'enforced' } } },
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels: { policy: 'enforced' } } }],
    },
    forbidden: { ...balanced, metadata: { name: 'a', namespace: 'strict' } },
    way: 'another label of its namespace (needs patch on namespaces)',
  },
  {
    hole: 'an exempt annotation',
    policy: {
      ...tight,
      fields: condition("!has(object.metadata.annotations) || !('policy.example.com/skip' in object.metadata.annotations)"),
    },
    ...{ forbidden: balanced, way: /^the annotation policy\.example\.com\/skip=/ },
  },
  {
    ...{ hole: 'an exempt prefix of names', policy: { ...tight, fields: condition("!object.metadata.name.startsWith('ci-')") } },
    ...{ forbidden: balanced, way: 'the name ci-a' },
  },
  {
    hole: 'an exempt service account',
    policy: { ...tight, fields: condition("request.userInfo.username != 'system:serviceaccount:ops:deployer'") },
    ...{ forbidden: balanced, way: 'the user system:serviceaccount:ops:deployer' },
  },
  {
    hole: 'an exempt value of a field',
    policy: {
      ...tight,
      fields: condition("!has(object.spec.loadBalancerClass) || object.spec.loadBalancerClass != 'example.com/internal'"),
    },
    ...{ forbidden: balanced, way: 'the field spec.loadBalancerClass=example.com/internal' },
  },
  {
    hole: 'a body limit with failurePolicy Ignore',
    policy: { ...tight, fields: { failurePolicy: 'Ignore' }, maxBytes: 100_000 },
    ...{ forbidden: balanced, way: 'an object that is too large for the webhook' },
  },
  {
    hole: 'a policy of the API server without init containers',
    policy: { ...never, objects: admissionPolicy(unprivileged('containers')) },
    ...{ forbidden: privileged, way: 'an init container' },
  },
  {
    hole: 'a binding for some namespaces',
    policy: {
      ...never,
      objects: admissionPolicy(allUnprivileged, {
        binding: { matchResources: { namespaceSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] } } },
      }),
    },
    ...{ forbidden: privileged, way: 'a new namespace that the selector leaves out (needs create on namespaces)' },
  },
  {
    hole: 'no scale of custom resources',
    policy: { rules: [claims], refuses: ({ object }) => object?.spec?.replicas > 5, objects: [claimDefinition] },
    ...{ forbidden: claim, way: 'the subresource scale' },
  },
  {
    hole: 'users of containers, and not of their pod',
    policy: {
      rules: [pods],
      refuses: ({ object }) =>
        (object?.spec?.containers ?? []).some((one: { securityContext?: { runAsUser?: number } }) => one.securityContext?.runAsUser === 0),
    },
    ...{ forbidden: root, way: 'the security context of the pod' },
  },
];

describe('exemptions of policies', { timeout: 60_000 }, () => {
  it.each(holes)('finds $hole', async ({ policy, forbidden, way }) => {
    const titles = (await waysAround(policy, forbidden)).map(({ title }) => title);
    expect(titles).toContainEqual(typeof way === 'string' ? way : expect.stringMatching(way));
  });

  it('finds none around a tight policy of the API server', async () => {
    const matchConstraints = { resourceRules: [{ ...pods, resources: ['pods', 'pods/*'] }] };
    const found = await waysAround({ ...never, objects: admissionPolicy(allUnprivileged, { policy: { matchConstraints } }) }, privileged);
    expect(found).toEqual([]);
  });
});
