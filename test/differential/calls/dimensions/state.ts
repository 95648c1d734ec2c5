import type { Random } from '../../random.js';
import { placed } from '../base.js';
import { isObject, type JsonObject, type Scene, type SceneRequest } from '../scene.js';
import type { Seeds } from '../seeds.js';

const core = '/api/v1/namespaces/{id}';

/** Pods, claims and services with classes, accounts and namespaces that admission looks up. */
export function state(r: Random, seeds: Seeds): Scene {
  const { manifest, collection, around } = placed(r, seeds, r.pick(['Pod', 'Pod', 'Pod', 'PersistentVolumeClaim', 'Deployment']));
  const setup: SceneRequest[] = [...around];
  const { spec } = manifest;
  for (let i = 1 + r.below(3); isObject(spec) && i > 0; i -= 1) {
    const what = manifest['kind'] === 'Pod' ? r.pick([runtimeClass, priorityClass, account, node]) : r.pick([claim, ending]);
    what(r, spec, setup);
  }
  if (r.chance(8)) ending(r, {}, setup);
  return { setup, call: { method: 'POST', path: collection, body: manifest } };
}

/** A repeated setup of the same object would be refused. */
function put(setup: SceneRequest[], path: string, body: JsonObject): void {
  if (!setup.some(made => made.path === path && JSON.stringify(made.body).includes(String(body['kind']))))
    setup.push({ method: 'POST', path, body });
}

function runtimeClass(r: Random, spec: JsonObject, setup: SceneRequest[]): void {
  const more = r.pick<JsonObject>([
    {},
    { overhead: { podFixed: { cpu: '10m', memory: '1Mi' } } },
    { scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] } },
    { overhead: { podFixed: { cpu: '250m' } }, scheduling: { nodeSelector: { 'kubernetes.io/os': 'linux' } } },
  ]);
  const body = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: '{id}' }, handler: 'h', ...more };
  put(setup, '/apis/node.k8s.io/v1/runtimeclasses', body);
  const overheads = [
    {},
    {},
    { overhead: { cpu: '10m', memory: '1Mi' } },
    { overhead: { cpu: '1' } },
    { nodeSelector: { a: 'c' } },
    { nodeSelector: { z: 'y' } },
  ];
  Object.assign(spec, { runtimeClassName: r.pick(['{id}', '{id}', '{id}', 'none']), ...r.pick<JsonObject>(overheads) });
}

function priorityClass(r: Random, spec: JsonObject, setup: SceneRequest[]): void {
  const body = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: '{id}' },
    value: r.pick([0, 7, -5, 1_000_000_000]),
    ...r.pick([{}, { preemptionPolicy: 'Never' }]),
  };
  put(setup, '/apis/scheduling.k8s.io/v1/priorityclasses', body);
  const more = [{}, {}, { priority: 7 }, { priority: 0 }, { preemptionPolicy: 'Never' }, { preemptionPolicy: 'PreemptLowerPriority' }];
  Object.assign(spec, { priorityClassName: r.pick(['{id}', '{id}', 'none', 'system-cluster-critical', '']), ...r.pick<JsonObject>(more) });
}

function account(r: Random, spec: JsonObject, setup: SceneRequest[]): void {
  const metadata = { name: 'robot', ...r.pick<JsonObject>([{}, { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } }]) };
  const more = r.pick<JsonObject>([
    {},
    { imagePullSecrets: [{ name: 'pull' }] },
    { automountServiceAccountToken: false },
    { secrets: [{ name: 's1' }] },
  ]);
  setup.push({
    method: 'POST',
    path: `${core}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...metadata, name: `robot-${setup.length}` }, ...more },
  });
  const named = `robot-${setup.length - 1}`;
  const uses = [
    { serviceAccountName: named },
    { serviceAccount: named },
    { serviceAccountName: 'missing' },
    { serviceAccountName: named, automountServiceAccountToken: r.chance(50) },
  ];
  Object.assign(
    spec,
    r.pick<JsonObject>([
      ...uses,
      { serviceAccountName: named, imagePullSecrets: [{ name: 'mine' }] },
      { serviceAccountName: named, serviceAccount: 'other' },
    ]),
  );
  const [first] = Array.isArray(spec['containers']) ? spec['containers'] : [];
  if (!isObject(first) || r.chance(70)) return;
  first['volumeMounts'] = [{ name: 'tok', mountPath: r.pick(['/var/run/secrets/kubernetes.io/serviceaccount', '/x']) }];
  const volume = r.pick<JsonObject>([
    { secret: { secretName: 's1' } },
    { secret: { secretName: 's2' } },
    { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
  ]);
  spec['volumes'] = [{ name: 'tok', ...volume }];
}

function node(r: Random, spec: JsonObject): void {
  const tolerations = r.pick<JsonObject>([
    {},
    { tolerations: [{ operator: 'Exists' }] },
    { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] },
    { tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }] },
  ]);
  Object.assign(spec, { nodeName: 'n', ...tolerations });
}

function claim(r: Random, spec: JsonObject): void {
  const changes: readonly JsonObject[] = [
    ...[
      { storageClassName: '' },
      { storageClassName: 'none' },
      { volumeName: 'pv' },
      { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } },
    ],
    ...[
      { dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } },
      { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    ],
  ];
  Object.assign(spec, r.pick(changes));
}

function ending(r: Random, _: JsonObject, setup: SceneRequest[]): void {
  if (r.chance(60) && setup.at(-1)?.method !== 'DELETE') setup.push({ method: 'DELETE', path: core });
}
