import { copyOf, ensureMap, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import {
  alikeNote,
  type CreatedObject,
  controllerReference,
  nameOf,
  objectOf,
  podFromTemplate,
  setLabel,
  templateOf,
} from './created-object.js';
import { templateHash } from './template-hash.js';

const hashLabel = 'pod-template-hash';

/**
 * Returns the replica set of a new deployment, without the annotations for its number of replicas, which its pods do not inherit.
 * Undefined for a deployment without replicas. Source: pkg/controller/deployment/sync.go getNewReplicaSet.
 */
export function replicaSetOf(server: ApiServer, deployment: ValueMap): CreatedObject | undefined {
  const replicas = replicasOf(deployment);
  if (replicas === 0n) return undefined;
  const template = templateOf(deployment);
  const hash = templateHash(server, template);
  setLabel(template, hashLabel, hash);
  const selector = copyOf(mapAt(deployment, 'spec', 'selector') ?? new Map());
  ensureMap(selector, 'matchLabels').set(hashLabel, hash);
  const metadata = new Map<string, Value>([
    ['name', `${nameOf(deployment).slice(0, longestName - 1 - hash.length)}-${hash}`],
    ['namespace', stringAt(deployment, 'metadata', 'namespace')],
    ['labels', copyOf(valueAt(template, 'metadata', 'labels') ?? new Map())],
    ['ownerReferences', [controllerReference(deployment)]],
  ]);
  const replicaSet = objectOf({ group: 'apps', version: 'v1', kind: 'ReplicaSet' }, metadata);
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
export function podOfReplicaSet(owner: ValueMap): CreatedObject | undefined {
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
