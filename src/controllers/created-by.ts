import type { ValueMap } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { kindOf } from '../kubernetes/storage.js';
import type { CreatedObject } from './created-object.js';
import { podOfDaemonSet } from './daemon-set.js';
import { jobOfCronJob, podOfJob } from './job.js';
import { podOfReplicaSet, replicaSetOf } from './replica-set.js';
import { podOfStatefulSet } from './stateful-set.js';

/** What controllers see besides the workload. */
export interface ControllerView {
  readonly state: ClusterState;
  readonly now: Date;
}

const controllers: Readonly<Record<string, (workload: ValueMap, view: ControllerView) => CreatedObject | undefined>> = {
  'apps/Deployment': replicaSetOf,
  'apps/ReplicaSet': podOfReplicaSet,
  ReplicationController: podOfReplicaSet,
  'apps/StatefulSet': podOfStatefulSet,
  'apps/DaemonSet': (set, { state }) => podOfDaemonSet(set, state),
  'batch/Job': podOfJob,
  'batch/CronJob': (cronJob, { now }) => jobOfCronJob(cronJob, now),
};

/** Is this a kind of which a controller makes pods, directly or by way of others? */
export function isWorkload(object: ValueMap): boolean {
  return controllers[keyOf(object)] !== undefined;
}

/**
 * The first object that its controller creates for a workload that was just stored: a pod, or what makes one in turn. Undefined when the workload asks
 * for none. Throws RangeError for a template whose hash is not reproduced.
 */
export function createdBy(workload: ValueMap, view: ControllerView): CreatedObject | undefined {
  return controllers[keyOf(workload)]?.(workload, view);
}

function keyOf(object: ValueMap): string {
  const { group, kind } = kindOf(object);
  return group === '' ? kind : `${group}/${kind}`;
}
