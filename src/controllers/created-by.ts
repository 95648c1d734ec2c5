import { writeValue } from '../go/json/write.js';
import { ownMember } from '../go/own-members.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { kindOf } from '../kubernetes/storage.js';
import {
  alikeNote,
  type CreatedObject,
  controllerReference,
  nameOfCreated,
  objectOfTemplate,
  podFromTemplate,
  setLabel,
  templateOf,
} from './created-object.js';
import { podOfDaemonSet } from './daemon-set.js';
import { jobOfCronJob, podOfJob } from './job.js';
import { revisionHash, templateHash } from './template-hash.js';

/** Input of controllers besides the workload. */
export interface ControllerView {
  readonly state: ClusterState;
  readonly now: Date;
}

const controllers: Readonly<Record<string, (workload: ValueMap, view: ControllerView) => CreatedObject | undefined>> = {
  'apps/Deployment': (deployment, { state }) => replicaSetOf(state.server, deployment),
  'apps/ReplicaSet': podOfReplicaSet,
  ReplicationController: podOfReplicaSet,
  'apps/StatefulSet': podOfStatefulSet,
  'apps/DaemonSet': (set, { state }) => podOfDaemonSet(set, state),
  'batch/Job': podOfJob,
  'batch/CronJob': (cronJob, { now }) => jobOfCronJob(cronJob, now),
};

/** Returns whether a controller creates pods for a kind, directly or indirectly. */
export function isWorkload(object: ValueMap): boolean {
  return ownMember(controllers, objectKeyOf(object)) !== undefined;
}

/**
 * Returns the first object that a controller creates for a workload that was just stored: a pod, or the owner of pods. Undefined if the
 * workload needs none. Throws RangeError for a template whose hash is not reproduced.
 */
export function createdBy(workload: ValueMap, view: ControllerView): CreatedObject | undefined {
  return ownMember(controllers, objectKeyOf(workload))?.(workload, view);
}

function objectKeyOf(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  return group === '' ? kind : `${group}/${kind}`;
}

const hashLabel = 'pod-template-hash';

/**
 * Returns the replica set of a new deployment, without the annotations for its number of replicas, which its pods do not inherit.
 * Undefined for a deployment without replicas. Source: pkg/controller/deployment/sync.go getNewReplicaSet.
 */
function replicaSetOf(server: ApiServer, deployment: ValueMap): CreatedObject | undefined {
  const replicas = replicasOf(deployment);
  if (replicas === 0n) return undefined;
  const template = templateOf(deployment);
  const hash = templateHash(server, template);
  setLabel(template, hashLabel, hash);
  const selector = copyOf(mapAt(deployment, 'spec', 'selector') ?? new Map());
  ensureMap(selector, 'matchLabels').set(hashLabel, hash);
  const metadata = new Map<string, Value>([
    ['name', `${nameOfCreated(deployment).slice(0, longestName - 1 - hash.length)}-${hash}`],
    ['namespace', stringAt(deployment, 'metadata', 'namespace')],
    ['labels', copyOf(valueAt(template, 'metadata', 'labels') ?? new Map())],
    ['ownerReferences', [controllerReference(deployment)]],
  ]);
  const replicaSet = objectOfTemplate({ group: 'apps', version: 'v1', kind: 'ReplicaSet' }, metadata);
  replicaSet.set(
    'spec',
    new Map<string, Value>([
      ['replicas', replicas],
      ['selector', selector],
      ['template', template],
    ]),
  );
  return { controller: 'deployment-controller', object: replicaSet, notes: [] };
}

/**
 * Returns a pod of a replica set or a replication controller; undefined without replicas. Source: pkg/controller/replicaset/replica_set.go.
 */
function podOfReplicaSet(owner: ValueMap): CreatedObject | undefined {
  const replicas = replicasOf(owner);
  if (replicas === 0n) return undefined;
  const controller = stringAt(owner, 'kind') === 'ReplicationController' ? 'replication-controller' : 'replicaset-controller';
  return { controller, object: podFromTemplate(owner, templateOf(owner)), notes: alikeNote(owner, replicas) };
}

const longestName = 253;

/** Returns the stored replicas, which the API server defaults to 1. */
function replicasOf(workload: ValueMap): bigint {
  const replicas = valueAt(workload, 'spec', 'replicas');
  return typeof replicas === 'bigint' ? replicas : 0n;
}

/**
 * Returns the first pod of a new stateful set; undefined without replicas. Source: pkg/controller/statefulset/stateful_set_utils.go
 * newStatefulSetPod.
 */
function podOfStatefulSet(set: ValueMap): CreatedObject | undefined {
  const replicas = numberAt(set, 'spec', 'replicas');
  if (replicas === 0n) return undefined;
  const ordinal = numberAt(set, 'spec', 'ordinals', 'start');
  const name = `${nameOfCreated(set)}-${ordinal}`;
  const pod = podFromTemplate(set, templateOf(set));
  const metadata = ensureMap(pod, 'metadata');
  metadata.set('name', name);
  setLabel(pod, 'statefulset.kubernetes.io/pod-name', name);
  setLabel(pod, 'apps.kubernetes.io/pod-index', String(ordinal));
  setLabel(pod, 'controller-revision-hash', revisionNameOf(set));
  const spec = ensureMap(pod, 'spec');
  spec.set('hostname', name);
  spec.set('subdomain', stringAt(set, 'spec', 'serviceName'));
  const claims = claimVolumes(set, ordinal);
  if (claims.length > 0) {
    const claimed = new Set(claims.map(volume => stringAt(volume, 'name')));
    spec.set('volumes', [...claims, ...listAt(spec, 'volumes').filter(volume => !claimed.has(stringAt(volume, 'name')))]);
  }
  return { controller: 'statefulset-controller', object: pod, notes: notesOn(set, { replicas, claims: claims.length }) };
}

function notesOn(set: ValueMap, { replicas, claims }: { readonly replicas: bigint; readonly claims: number }): string[] {
  const others = `StatefulSet ${nameOfCreated(set)} requests ${replicas} pods: the first is shown; others have their own ordinal, name and claims`;
  const order = `the volumes of ${claims} claims have no fixed order: they are shown in the order of their templates`;
  return [...(replicas > 1n ? [others] : []), ...(claims > 1 ? [order] : [])];
}

function claimVolumes(set: ValueMap, ordinal: bigint): Value[] {
  return listAt(set, 'spec', 'volumeClaimTemplates').map(claim => {
    const name = stringAt(claim, 'metadata', 'name');
    return toValue({ name, persistentVolumeClaim: { claimName: `${name}-${nameOfCreated(set)}-${ordinal}` } });
  });
}

/** Longer names of sets are truncated. Source: pkg/controller/history/controller_history.go ControllerRevisionName. */
const longestPrefix = 223;

/** Returns the name of the revision with the set's template as a patch. Source: stateful_set_utils.go getPatch. */
function revisionNameOf(set: ValueMap): string {
  const template = templateOf(set);
  template.set('$patch', 'replace');
  const data = writeValue(new Map([['spec', new Map([['template', template]])]]), 'sorted');
  return `${nameOfCreated(set).slice(0, longestPrefix)}-${revisionHash(data)}`;
}

function numberAt(object: ValueMap, ...path: readonly string[]): bigint {
  const number = valueAt(mapAt(object), ...path);
  return typeof number === 'bigint' ? number : 0n;
}
