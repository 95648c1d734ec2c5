import { describe, expect, it } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { lintSubjectOf } from '../../src/cli/work/lint/lint-subject.js';
import type { Manifest } from '../../src/client/manifests/manifests.js';
import { isMap, toValue } from '../../src/go/value.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { clusterSteps } from '../../src/lint/outage/cluster-steps.js';
import { ownSteps } from '../../src/lint/outage/own-steps.js';
import { lint } from '../../src/lint/rule.js';
import {
  blocksHeartbeats,
  blocksKubeSystem,
  blocksOwnRecovery,
  blocksOwnUpkeep,
  interceptsKubeSystem,
  interceptsOwnPods,
} from '../../src/lint/rules/lock-chains.js';

const rules = [interceptsOwnPods, blocksOwnRecovery, blocksOwnUpkeep, blocksHeartbeats, interceptsKubeSystem, blocksKubeSystem];
const owner = { namespace: 'guard', name: 'hook', labels: { app: 'hook' }, whose: 'its' };
const steps = [...ownSteps(owner), ...clusterSteps()];
const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];

function webhook(parts: object): object {
  return {
    name: 'w.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { service: { namespace: 'guard', name: 'hook' } },
    rules: everything,
    ...parts,
  };
}

interface Around {
  readonly minor?: (typeof kubernetesMinors)[number];
  readonly annotations?: object;
}

function subject(parts: object, others: readonly object[] = [], { minor = 'v1.37', annotations = {} }: Around = {}) {
  const kind = 'ValidatingWebhookConfiguration';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'c', annotations },
    webhooks: [webhook(parts)],
  };
  const manifests = [configuration, ...others].map(object => {
    const value = toValue(object);
    if (!isMap(value)) throw new Error('not a map');
    return { object: value } as Manifest;
  });
  return lintSubjectOf(apiServers({ minor }), manifests, new Date(0));
}

async function found(parts: object, others: readonly object[] = [], annotations: object = {}): Promise<string[]> {
  return (await lint(rules, subject(parts, others, { annotations }), new Map())).map(
    ({ finding }) => `${finding.rule}: ${finding.message}`,
  );
}

const rulesFor = (apiGroup: string, resources: readonly string[], operations: readonly string[] = ['*']) => ({
  rules: [{ apiGroups: [apiGroup], apiVersions: ['v1'], operations, resources }],
});

describe.each(kubernetesMinors)('the calls of the chains in %s', minor => {
  it('are all refused while a webhook for everything is down, except virtual resources that webhooks are not asked about', async () => {
    const { webhooks, refusedWhileDown } = subject({}, [], { minor });
    const refused = (await Promise.all(webhooks.map(one => refusedWhileDown(one, steps)))).flat();
    const asked = steps.filter(step => apiServers({ minor }).until('v1.36') || !step.resource.endsWith('reviews'));
    expect(refused.map(({ what }) => what)).toEqual(asked.map(({ what }) => what));
  });

  it('are refused by nothing else', async () => {
    const { webhooks, refusedWhileDown } = subject({ failurePolicy: 'Ignore' }, [], { minor });
    expect(await Promise.all(webhooks.map(one => refusedWhileDown(one, steps)))).toEqual([[]]);
  });
});

describe('a webhook that is down', () => {
  it.each([
    ['', 'pods', ['intercepts-own-pods', 'intercepts-kube-system']],
    ['', 'pods/binding', ['blocks-own-recovery', 'blocks-kube-system']],
    ['', 'pods/status', ['blocks-own-recovery', 'blocks-kube-system']],
    ['', 'serviceaccounts/token', ['blocks-own-recovery', 'blocks-kube-system']],
    ['apps', 'deployments', ['blocks-own-recovery']],
    ['apps', 'replicasets', ['blocks-own-recovery', 'blocks-kube-system']],
    ['', 'services', ['blocks-own-recovery']],
    ['discovery.k8s.io', 'endpointslices', ['blocks-own-recovery', 'blocks-kube-system']],
    ['', 'secrets', ['blocks-own-upkeep']],
    ['', 'configmaps', ['blocks-own-upkeep']],
    ['', 'namespaces', ['blocks-own-upkeep']],
    ['cert-manager.io', 'certificaterequests', ['blocks-own-upkeep']],
    ['coordination.k8s.io', 'leases', ['blocks-heartbeats', 'blocks-own-upkeep']],
    ['', 'nodes', ['blocks-heartbeats']],
    ['', 'nodes/status', ['blocks-heartbeats']],
    ['', 'events', []],
    ['batch', 'jobs', []],
    ['apps', 'deployments/status', []],
  ])('and is asked about %s %s blocks %j', async (group, resource, ids) => {
    const lines = await found(rulesFor(group, [resource]));
    expect(lines.map(line => line.split(':', 1)[0]).sort()).toEqual([...ids].sort());
    expect(await found({ ...rulesFor(group, [resource]), failurePolicy: 'Ignore' })).toEqual([]);
  });

  it("that reads its CA from a Secret, as cert-manager's own, requests no certificate", async () => {
    const annotations = { 'cert-manager.io/inject-ca-from-secret': 'guard/ca' };
    expect(await found(rulesFor('cert-manager.io', ['*']), [], annotations)).toEqual([]);
    expect(await found(rulesFor('cert-manager.io', ['*']))).toHaveLength(1);
  });

  it('names what is refused', async () => {
    expect(await found(rulesFor('', ['pods/binding'], ['CREATE']))).toEqual([
      'blocks-own-recovery: while it is down, the API server refuses binding its pods to nodes (pods/binding in guard)',
      "blocks-kube-system: while it is down, the API server refuses binding kube-system's pods to nodes (pods/binding in kube-system)",
    ]);
  });

  it('blocks nothing of its own outside of the cluster', async () => {
    const lines = await found({ ...rulesFor('', ['pods']), clientConfig: { url: 'https://example.com/' } });
    expect(lines).toEqual(['intercepts-kube-system: it is required for creating pods in kube-system']);
  });

  const name = 'kubernetes.io/metadata.name';
  const without = (...values: string[]) => ({ namespaceSelector: { matchExpressions: [{ key: name, operator: 'NotIn', values }] } });

  it('is excluded by selectors on namespaces', async () => {
    expect(await found({ ...rulesFor('', ['pods', 'pods/binding']), ...without('guard', 'kube-system') })).toEqual([]);
    expect(await found({ ...rulesFor('coordination.k8s.io', ['leases']), ...without('guard', 'kube-system') })).toEqual([
      'blocks-heartbeats: while it is down, the API server refuses renewing the leases of nodes, which all become NotReady (leases in kube-node-lease)',
    ]);
    const labelled = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'guard', labels: { checked: 'no' } } };
    expect(await found({ ...rulesFor('', ['pods']), ...without('guard', 'kube-system') }, [labelled])).toEqual([]);
    const namespaceSelector = { matchLabels: { checked: 'yes' } };
    expect(await found({ ...rulesFor('', ['pods']), namespaceSelector }, [labelled])).toEqual([]);
    const checked = { ...labelled, metadata: { name: 'guard', labels: { checked: 'yes' } } };
    expect(await found({ ...rulesFor('', ['pods']), namespaceSelector }, [checked])).toHaveLength(1);
  });

  it('is excluded by conditions on users', async () => {
    const nodes = [{ name: 'not-nodes', expression: '!("system:nodes" in request.userInfo.groups)' }];
    expect(await found({ ...rulesFor('', ['nodes', 'nodes/status']), matchConditions: nodes })).toEqual([]);
    expect(await found({ ...rulesFor('', ['pods/binding']), matchConditions: nodes })).toHaveLength(2);
    const leases = [{ name: 'not-leases', expression: "request.resource.resource != 'leases'" }];
    expect(await found({ ...rulesFor('coordination.k8s.io', ['leases']), matchConditions: leases })).toEqual([]);
  });

  it('is excluded by labels of its own objects that the files show', async () => {
    const labels = { app: 'hook', 'guard/ignore': 'yes' };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hook', namespace: 'guard' },
      spec: { selector: { app: 'hook' } },
    };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'hook', namespace: 'guard' }, spec: { template } };
    const selecting = (operator: string) => ({
      ...{ ...rulesFor('', ['pods']), ...without('kube-system') },
      objectSelector: { matchExpressions: [{ key: 'guard/ignore', operator }] },
    });
    expect(await found(selecting('DoesNotExist'), [service, deployment])).toEqual([]);
    expect(await found(selecting('Exists'), [service, deployment])).toHaveLength(1);
    expect(await found(selecting('DoesNotExist'))).toEqual([]);
  });
});
