import type { Random } from '../../random.js';
import { namespaceSetup, placed } from '../base.js';
import { isObject, type Json, type JsonObject, mergePatch, type Scene, type SceneRequest, strategicPatch } from '../scene.js';
import type { Seeds } from '../seeds.js';
import { podSecurityLabels, securityChanges } from './security-values.js';

const cpu = ['0', '1m', '10m', '100m', '0.1', '250m', '500m', '1', '2', '4', '1500m', '0.0001', '1e3m', '3k'];
const memory = ['0', '1Mi', '64Mi', '128Mi', '0.5Gi', '1Gi', '2Gi', '100M', '1e8', '1500000k', '128974848', '0.1', '1Ti'];
const core = '/api/v1/namespaces/{id}';

function resources(r: Random): JsonObject {
  const amounts = (): JsonObject => ({
    ...(r.chance(60) ? { cpu: r.pick(cpu) } : {}),
    ...(r.chance(50) ? { memory: r.pick(memory) } : {}),
    ...(r.chance(15)
      ? r.pick([
          { 'example.com/gpu': r.pick(['1', '2']) },
          { 'hugepages-2Mi': r.pick(['2Mi', '3Mi']) },
          { 'ephemeral-storage': r.pick(memory) },
        ])
      : {}),
  });
  return { ...(r.chance(60) ? { requests: amounts() } : {}), ...(r.chance(60) ? { limits: amounts() } : {}) };
}

/** The pod spec inside a workload's manifest. */
function podSpecOf(manifest: JsonObject): JsonObject | undefined {
  const { spec } = manifest;
  if (!isObject(spec)) return undefined;
  if (Array.isArray(spec['containers'])) return spec;
  const { template, jobTemplate } = spec;
  return isObject(template) ? podSpecOf(template) : isObject(jobTemplate) ? podSpecOf(jobTemplate) : undefined;
}

const workloads = ['Pod', 'Pod', 'Pod', 'Deployment', 'Job', 'CronJob', 'DaemonSet', 'PersistentVolumeClaim'];

/** A creation with resources, in a namespace with limit ranges, quotas or both. */
export function limits(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, around } = placed(r, seeds, r.pick([...workloads, 'Service', 'ConfigMap', 'Secret']));
  const spec = podSpecOf(manifest);
  for (const list of ['containers', 'initContainers']) {
    const items = spec?.[list];
    for (const container of Array.isArray(items) ? items : [])
      if (isObject(container) && r.chance(75)) container['resources'] = resources(r);
  }
  if (spec !== undefined && r.chance(20))
    spec['initContainers'] = [{ name: 'init-x', image: 'i', resources: resources(r), ...r.pick([{}, { restartPolicy: 'Always' }]) }];
  if (spec !== undefined && r.chance(15)) spec['resources'] = resources(r);
  if (spec !== undefined && r.chance(10)) spec['activeDeadlineSeconds'] = 60;
  if (spec !== undefined && r.chance(10)) spec['priorityClassName'] = 'system-node-critical';
  const claim = manifest['kind'] === 'PersistentVolumeClaim' ? manifest['spec'] : undefined;
  if (isObject(claim))
    claim['resources'] = { requests: { storage: r.pick(memory) }, ...(r.chance(30) ? { limits: { storage: r.pick(memory) } } : {}) };
  const rules = [
    ...(r.chance(70) ? [limitRange(r, 'one')] : []),
    ...(r.chance(25) ? [limitRange(r, 'two')] : []),
    ...(r.chance(50) ? quota(r) : []),
  ];
  return { setup: [...around, ...rules], call: { method: 'POST', path: collection, body: manifest } };
}

function limitRange(r: Random, name: string): SceneRequest {
  const item = (): JsonObject => {
    const type = r.pick(['Container', 'Container', 'Pod', 'PersistentVolumeClaim']);
    const names = type.startsWith('Pers') ? ['storage'] : ['cpu', 'memory', 'ephemeral-storage'].filter(() => r.chance(50));
    const parts = ['min', 'max', 'maxLimitRequestRatio', ...(type === 'Container' ? ['default', 'defaultRequest'] : [])].filter(() =>
      r.chance(40),
    );
    const amount = (part: string, of: string): string =>
      r.pick(part === 'maxLimitRequestRatio' ? ['2', '1.5', '4', '1'] : of === 'cpu' ? cpu : memory);
    return { type, ...Object.fromEntries(parts.map(part => [part, Object.fromEntries(names.map(of => [of, amount(part, of)]))])) };
  };
  const spec = { limits: Array.from({ length: 1 + r.below(2) }, item) };
  return { method: 'POST', path: `${core}/limitranges`, body: { apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec } };
}

const hardAmounts: Readonly<Record<string, readonly string[]>> = {
  pods: ['0', '1', '5'],
  'requests.cpu': cpu,
  'limits.memory': memory,
  'requests.memory': memory,
  'limits.cpu': cpu,
  cpu,
  memory,
  services: ['0', '3'],
  configmaps: ['0', '9'],
  secrets: ['0', '9'],
  persistentvolumeclaims: ['0', '2'],
  'requests.storage': ['1Gi', '100Gi'],
  'count/deployments.apps': ['0', '4'],
  'count/pods': ['1', '3'],
  'services.nodeports': ['0', '1'],
  'services.loadbalancers': ['0'],
  'requests.example.com/gpu': ['0', '1'],
  'requests.ephemeral-storage': memory,
  'count/jobs.batch': ['0', '1'],
};

/** A quota and its status, as the quota controller writes it. */
function quota(r: Random): SceneRequest[] {
  const hard = Object.fromEntries(
    Object.keys(hardAmounts)
      .filter(() => r.chance(15))
      .map(name => [name, r.pick(hardAmounts[name] ?? [])]),
  );
  const scopes = r.pick<JsonObject>([
    {},
    {},
    {},
    { scopes: [r.pick(['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating'])] },
    {
      scopeSelector: {
        matchExpressions: [
          r.pick<JsonObject>([
            { scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical', 'x'] },
            { scopeName: 'PriorityClass', operator: 'Exists' },
            { scopeName: 'PriorityClass', operator: 'DoesNotExist' },
          ]),
        ],
      },
    },
  ]);
  const body = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: Object.keys(scopes).length > 0 ? { pods: r.pick(['0', '2']) } : hard, ...scopes },
  };
  const used = Object.fromEntries(Object.entries(body.spec.hard).map(([name, amount]) => [name, r.pick(['0', '0', amount])]));
  const path = `${core}/resourcequotas`;
  const status = { ...body, status: { hard: body.spec.hard, used: r.chance(93) ? used : {} } };
  return [{ method: 'POST', path, body }, ...(r.chance(93) ? [{ method: 'PUT', path: `${path}/q/status`, body: status }] : [])];
}

/** Creations and changes of pods and workloads in namespaces with Pod Security levels. */
export function security(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, path } = placed(
    r,
    seeds,
    r.pick(['Pod', 'Pod', 'Pod', 'Deployment', 'Job', 'CronJob', 'DaemonSet', 'ReplicationController']),
  );
  const around = namespaceSetup(podSecurityLabels(r));
  const first = structuredClone(manifest);
  const spec = podSpecOf(manifest);
  if (spec !== undefined) for (let i = r.below(4); i > 0; i -= 1) securityChanges(r, spec);
  if (manifest['kind'] !== 'Pod' || r.chance(75)) return { setup: around, call: { method: 'POST', path: collection, body: manifest } };
  const debug = {
    name: 'dbg',
    image: 'i',
    securityContext: r.pick<JsonObject>([{}, { privileged: true }, { runAsNonRoot: true }, { capabilities: { add: ['SYS_TIME'] } }]),
  };
  const patch = (at: string, body: Json): SceneRequest => ({ method: 'PATCH', path: at, contentType: strategicPatch, body });
  const stored = [
    ...namespaceSetup(),
    { method: 'POST', path: collection, body: first },
    { method: 'PATCH', path: core, contentType: mergePatch, body: { metadata: { labels: podSecurityLabels(r) } } },
  ];
  const call = r.pick([
    () => patch(path, { metadata: { labels: { a: 'b' } } }),
    () => patch(path, { spec: spec ?? null }),
    () => patch(`${path}/ephemeralcontainers`, { spec: { ephemeralContainers: [debug] } }),
  ])();
  return { setup: stored, call };
}
