import { describe, expect, it } from 'vitest';
import { type Policy, type PolicyRequest, waysAround } from './holes.js';

const workloads = { apiGroups: ['apps', 'batch'], apiVersions: ['v1'], resources: ['*'], operations: ['CREATE', 'UPDATE'] };
const pods = {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods', 'pods/ephemeralcontainers', 'pods/resize', 'pods/status'],
  operations: ['CREATE', 'UPDATE'],
};
const controllers = { apiGroups: [''], apiVersions: ['v1'], resources: ['replicationcontrollers'], operations: ['CREATE', 'UPDATE'] };

const lists = ['containers', 'initContainers', 'ephemeralContainers'];

// biome-ignore lint/suspicious/noExplicitAny: reviews hold any kind.
function specOf(object: any): any {
  return object?.spec?.template?.spec ?? object?.spec?.jobTemplate?.spec?.template?.spec ?? object?.spec;
}

/** Refuses a privileged container in one of the lists, and the label `tier: admin`. */
function forbids(of: readonly string[] = lists): (request: PolicyRequest) => boolean {
  return ({ object }) =>
    object?.metadata?.labels?.tier === 'admin' ||
    of.some(list =>
      (specOf(object)?.[list] ?? []).some((one: { securityContext?: { privileged?: boolean } }) => one.securityContext?.privileged),
    );
}

const privileged = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'default', labels: { app: 'a' } },
  spec: { containers: [{ name: 'a', image: 'nginx', securityContext: { privileged: true } }] },
};
const labelled = {
  ...privileged,
  metadata: { ...privileged.metadata, labels: { tier: 'admin' } },
  spec: { containers: [{ name: 'a', image: 'nginx' }] },
};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'default' },
  spec: {
    replicas: 9,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'nginx' }] } },
  },
};
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a', namespace: 'default' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 99 },
};

const tight: Policy = { rules: [pods, workloads, controllers], refuses: forbids() };
const creations = (rule: object): object => ({ ...rule, operations: ['CREATE'] });
const onlyPods = { ...pods, resources: ['pods'] };

interface Hole {
  readonly hole: string;
  readonly policy: Policy;
  readonly forbidden: object;
  /** Title of one of the ways. */
  readonly way: string;
  readonly commands: readonly RegExp[];
}

const create = /^kubectl create -f step-1\.yaml$/;

const holes: readonly Hole[] = [
  {
    ...{
      hole: 'rules with CREATE only',
      policy: { ...tight, rules: [creations({ ...pods, resources: ['pods'] }), workloads, controllers] },
    },
    ...{ forbidden: labelled, way: 'a merge patch', commands: [create, /^kubectl patch -f step-2\.yaml -p /] },
  },
  {
    ...{ hole: 'no init containers', policy: { ...tight, refuses: forbids(['containers', 'ephemeralContainers']) } },
    ...{ forbidden: privileged, way: 'an init container', commands: [create] },
  },
  {
    hole: 'pods of users only',
    policy: { ...tight, rules: [pods], refuses: request => request.object?.metadata?.ownerReferences === undefined && forbids()(request) },
    ...{ forbidden: privileged, way: 'the template of a Deployment', commands: [create] },
  },
  {
    hole: 'a namespace selector',
    policy: {
      ...tight,
      fields: { namespaceSelector: { matchLabels: { policy: 'enforced' } } },
      objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'strict', labels: { policy: 'enforced' } } }],
    },
    forbidden: { ...privileged, metadata: { ...privileged.metadata, namespace: 'strict' } },
    way: 'a new namespace that the selector leaves out (needs create on namespaces)',
    commands: [create, /^kubectl create -f step-2\.yaml$/],
  },
  {
    hole: 'an exempt label',
    policy: { ...tight, fields: { objectSelector: { matchExpressions: [{ key: 'exempt', operator: 'DoesNotExist' }] } } },
    ...{ forbidden: privileged, way: 'the label exempt=true', commands: [create] },
  },
  {
    hole: 'a version missing from the rules with matchPolicy Exact',
    policy: {
      rules: [
        { apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['horizontalpodautoscalers'], operations: ['CREATE', 'UPDATE'] },
      ],
      fields: { matchPolicy: 'Exact' },
      refuses: ({ object }) => object?.spec?.maxReplicas > 10,
    },
    ...{ forbidden: autoscaler, way: 'the version v1', commands: [create] },
  },
  {
    ...{ hole: 'no ephemeral containers', policy: { ...tight, rules: [onlyPods, workloads, controllers] }, forbidden: privileged },
    ...{ way: 'an ephemeral container', commands: [create, /^kubectl debug \S+ -n \S+ --image=\S+ -c moved/] },
  },
  {
    hole: 'a handler that allows updates',
    policy: { ...tight, refuses: request => request.operation === 'CREATE' && forbids()(request) },
    ...{ forbidden: labelled, way: 'a JSON patch', commands: [create, /^kubectl patch -f step-2\.yaml -p /] },
  },
  {
    hole: 'no scale',
    policy: { rules: [{ ...workloads, resources: ['deployments'] }], refuses: ({ object }) => object?.spec?.replicas > 5 },
    ...{ forbidden: deployment, way: 'the subresource scale', commands: [create, /scale/] },
  },
  {
    ...{ hole: 'no status', policy: { ...tight, rules: [onlyPods, workloads, controllers] }, forbidden: labelled },
    ...{ way: 'the subresource status', commands: [create, /status/] },
  },
];

describe('ways around a policy', { timeout: 60_000 }, () => {
  it.each(holes)('finds $hole', async ({ policy, forbidden, way, commands }) => {
    const found = await waysAround(policy, forbidden);
    const own = found.find(({ title }) => title === way);
    expect(found.map(({ title }) => title)).toContain(way);
    expect(own?.commands).toHaveLength(commands.length);
    for (const [i, pattern] of commands.entries()) expect(own?.commands[i]).toMatch(pattern);
  });

  it.each([privileged, labelled])('finds none around a tight policy', async forbidden => {
    expect(await waysAround(tight, forbidden)).toEqual([]);
  });
});
