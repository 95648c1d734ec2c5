import type { ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { kindOf } from '../kubernetes/storage.js';
import type { CreatedObject } from './created-object.js';
import { podOfDaemonSet } from './daemon-set.js';
import { jobOfCronJob, podOfJob } from './job.js';
import { podOfReplicaSet, replicaSetOf } from './replica-set.js';
import { podOfStatefulSet } from './stateful-set.js';

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
  return controllers[keyOf(object)] !== undefined;
}

/**
 * Returns the first object that a controller creates for a workload that was just stored: a pod, or the owner of pods. Undefined if the
 * workload needs none. Throws RangeError for a template whose hash is not reproduced.
 */
export function createdBy(workload: ValueMap, view: ControllerView): CreatedObject | undefined {
  return controllers[keyOf(workload)]?.(workload, view);
}

function keyOf(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  return group === '' ? kind : `${group}/${kind}`;
}
