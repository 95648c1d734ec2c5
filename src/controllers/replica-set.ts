import { copyOf, ensureMap, mapAt, stringAt, type Value, type ValueMap, valueAt } from '../go/value.js';
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
 * The replica set of a new deployment, without the annotations that count its replicas: they do not reach its pods. Undefined for a deployment that
 * asks for none. Source: pkg/controller/deployment/sync.go getNewReplicaSet.
 */
export function replicaSetOf(deployment: ValueMap): CreatedObject | undefined {
  const replicas = replicasOf(deployment);
  if (replicas === 0n) return undefined;
  const template = templateOf(deployment);
  const hash = templateHash(template);
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

/** A pod of a replica set or a replication controller; undefined when it asks for none. Source: pkg/controller/replicaset/replica_set.go. */
export function podOfReplicaSet(owner: ValueMap): CreatedObject | undefined {
  const replicas = replicasOf(owner);
  if (replicas === 0n) return undefined;
  const controller = stringAt(owner, 'kind') === 'ReplicationController' ? 'replication-controller' : 'replicaset-controller';
  return { controller, object: podFromTemplate(owner, templateOf(owner)), notes: alikeNote(owner, replicas) };
}

const longestName = 253;

/** As it is stored: the API server fills in 1. */
function replicasOf(workload: ValueMap): bigint {
  const replicas = valueAt(workload, 'spec', 'replicas');
  return typeof replicas === 'bigint' ? replicas : 0n;
}
