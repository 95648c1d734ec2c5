import type { Rule } from '../../../src/apiserver/webhooks/webhook.js';
import type { ApiServer } from '../../../src/kubernetes/api-server.js';
import { builtInResources } from '../../../src/kubernetes/resource-table.js';
import type { Random } from '../random.js';
import type { Call } from './cluster.js';
import { callsFor } from './resource-calls.js';

/** A condition, the rules that it is for, and calls that they match. */
interface Condition {
  readonly expression: string;
  readonly operation: string;
  readonly rules: readonly Rule[];
  readonly calls: Call[];
}

/** Returns conditions for requests of every operation on a resource or a subresource. */
export function randomConditions(
  r: Random,
  { server, namespace, count }: { readonly server: ApiServer; readonly namespace: string; readonly count: number },
): Condition[] {
  const { resources } = builtInResources(server, 'default');
  return Array.from({ length: count }, () => {
    const [group, plural, subs] = r.pick(subjects);
    const resource = resources.find(one => one.group === group && one.resource === plural);
    if (resource === undefined) throw new Error(`not served: ${plural}`);
    const sub = r.chance(40) ? r.pick(['', ...subs]) : '';
    const operation = sub === '' ? r.pick(['CREATE', 'UPDATE', 'DELETE']) : (operations[sub] ?? 'UPDATE');
    const rule = {
      apiGroups: [group],
      apiVersions: ['v1'],
      operations: [operation],
      resources: [sub === '' ? plural : `${plural}/${sub}`],
      scope: '*',
    };
    const variable = r.pick(['object', 'oldObject', 'object', 'request']);
    const read = variable === 'request' ? r.pick(reads.request) : `${variable}.${r.pick([...reads.any, ...(reads.of[plural] ?? [])])}`;
    const guard = r.pick([
      '',
      '',
      '',
      `request.operation != '${operation}' || `,
      `request.operation == 'DELETE' || `,
      `${variable} == null || `,
    ]);
    return {
      expression: `${guard}${read}`,
      operation: `${operation} ${plural}/${sub}`,
      rules: [rule],
      calls: callsFor(resource, namespace, 'probe'),
    };
  });
}

const subjects: readonly (readonly [string, string, readonly string[]])[] = [
  ['', 'pods', ['status', 'binding', 'eviction', 'exec', 'attach', 'portforward', 'proxy']],
  ['apps', 'deployments', ['status', 'scale']],
  ['', 'services', ['status', 'proxy']],
  ['', 'configmaps', []],
  ['', 'serviceaccounts', ['token']],
  ['batch', 'jobs', ['status']],
  ['networking.k8s.io', 'ingresses', ['status']],
];

const operations: Readonly<Record<string, string>> = {
  binding: 'CREATE',
  eviction: 'CREATE',
  token: 'CREATE',
  exec: 'CONNECT',
  attach: 'CONNECT',
  portforward: 'CONNECT',
  proxy: 'CONNECT',
};

const reads = {
  request: ["request.namespace != 'x'", "request.name != 'x'", "request.subResource != 'x'", "request.userInfo.username != 'x'"],
  any: [
    "metadata.name != 'x'",
    "metadata.namespace != 'x'",
    "metadata.labels.app != 'x'",
    'metadata.labels.size() > 0',
    "metadata.annotations['a/b'] != 'x'",
    "kind != 'x'",
    'metadata.?labels.hasValue()',
    'metadata.generation != 5',
    "metadata.uid != 'x'",
  ],
  of: {
    pods: [
      "spec.nodeName != 'x'",
      'spec.containers.size() > 0',
      "spec.serviceAccountName != 'x'",
      "spec.priorityClassName != 'x'",
      "status.phase != 'x'",
    ],
    deployments: ['spec.replicas > 0', "spec.template.spec.containers[0].image != 'x'", 'spec.paused == true', 'status.replicas != 3'],
    services: ["spec.type != 'x'", "spec.clusterIP != 'x'", "spec.loadBalancerClass != 'x'"],
    configmaps: ['data.size() > 0', 'immutable == true'],
    jobs: ['spec.suspend == true', 'spec.backoffLimit > 1', 'spec.ttlSecondsAfterFinished > 1'],
    ingresses: ['spec.rules.size() > 0', "spec.ingressClassName != 'x'", 'spec.tls.size() == 0'],
    serviceaccounts: ['spec.audiences.size() == 0', 'secrets.size() == 0'],
  } as Readonly<Record<string, readonly string[]>>,
};
