import type { OutageStep } from '../../../src/lint/outage/outage-step.js';
import type { Random } from '../random.js';

/** Returns rules, selectors and conditions of a webhook, near to the calls that keep a cluster running. */
export function randomSelection(r: Random, steps: readonly OutageStep[]): object {
  const rules = Array.from({ length: 1 + r.below(3) }, () => {
    const { group, version, resource, operation, namespace } = r.pick(steps);
    return {
      apiGroups: [r.pick([group, group, group, '*'])],
      apiVersions: [r.pick([version, '*'])],
      operations: [r.pick([operation, operation, '*', 'CREATE', 'UPDATE'])],
      resources: [r.pick([resource, resource, resource, '*', '*/*', resource.split('/', 1)[0] ?? '', `${resource.split('/', 1)[0]}/*`])],
      scope: r.pick(['*', '*', namespace === '' ? 'Cluster' : 'Namespaced']),
    };
  });
  return {
    rules,
    ...(r.chance(40) ? { namespaceSelector: r.pick(namespaceSelectors) } : {}),
    ...(r.chance(25) ? { objectSelector: r.pick(objectSelectors) } : {}),
    ...(r.chance(30) ? { matchConditions: [{ name: 'c', expression: r.pick(conditions) }] } : {}),
    ...(r.chance(15) ? { failurePolicy: 'Ignore' } : {}),
    matchPolicy: r.pick(['Exact', 'Equivalent']),
  };
}

const name = 'kubernetes.io/metadata.name';
const namespaceSelectors = [
  { matchExpressions: [{ key: name, operator: 'NotIn', values: ['guard'] }] },
  { matchExpressions: [{ key: name, operator: 'NotIn', values: ['kube-system', 'kube-node-lease'] }] },
  { matchExpressions: [{ key: name, operator: 'NotIn', values: ['guard', 'kube-system'] }] },
  { matchLabels: { [name]: 'kube-system' } },
  { matchLabels: { inject: 'enabled' } },
  { matchExpressions: [{ key: 'inject', operator: 'DoesNotExist' }] },
];
const objectSelectors = [
  { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['hook'] }] },
  { matchLabels: { app: 'hook' } },
  { matchExpressions: [{ key: 'k8s-app', operator: 'Exists' }] },
];
const conditions = [
  "!('system:nodes' in request.userInfo.groups)",
  "!request.userInfo.username.startsWith('system:')",
  "request.resource.group != 'coordination.k8s.io'",
  "request.?namespace.orValue('') != 'kube-system'",
  "request.userInfo.username == 'kubernetes-admin'",
  "!request.userInfo.groups.exists(g, g == 'system:serviceaccounts:kube-system')",
];
