import { stringAt, toValue, type ValueMap, valueAt } from '../../../../go/value.js';
import { labelsOf } from '../../../../kubernetes/label-selector.js';
import { controller, kubelet } from '../../../../lint/outage/outage-step.js';
import { type PodOwner, podCreation, podSteps } from '../../../../lint/outage/pod-steps.js';
import type { Obstacle, RehearsalUnit } from '../../../../lint/rehearsal/rehearsal.js';
import { callOfStep } from '../outages.js';
import { simulatedObject } from '../simulated-calls.js';
import type { RehearsedCluster } from './rehearsed-cluster.js';

/** Makes the calls with which the pods of a workload become ready, until one fails. */
export async function startPods({ objects: [workload] }: RehearsalUnit, { store, send }: RehearsedCluster): Promise<Obstacle | undefined> {
  if (workload === undefined) return undefined;
  const owner = ownerOf(workload);
  const [others, replicaSets] = splitBy(podSteps(owner, 'own-recovery'), ({ resource }) => resource === 'replicasets');
  for (const step of [...(stringAt(workload, 'kind') === 'Deployment' ? replicaSets : []), podCreation(owner, 'own-pods'), ...others]) {
    // What the cluster has besides: the account of the pods, and the slice of their Service.
    if (step.existing !== undefined) store.create(simulatedObject(step.existing));
    const refusal = await send(callOfStep(step));
    if (refusal !== undefined) return { ...refusal, message: `${step.what} is refused: ${refusal.message}` };
  }
  return undefined;
}

/** Makes the calls with which the pods of a deleted workload go away. A refused one leaves its object. */
export async function removePods({ objects: [workload] }: RehearsalUnit, { send }: RehearsedCluster): Promise<void> {
  if (workload === undefined) return;
  const { namespace, name } = ownerOf(workload);
  const collector = controller('generic-garbage-collector');
  const pods = `/api/v1/namespaces/${namespace}/pods/${name}-1`;
  await send({ method: 'DELETE', path: `/apis/apps/v1/namespaces/${namespace}/replicasets/${name}`, user: collector });
  if ((await send({ method: 'DELETE', path: pods, user: collector })) === undefined) await removePod(pods, send);
  await send({ method: 'DELETE', path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices/${name}-1`, user: collector });
}

/** The kubelet removes a pod that is being deleted. */
async function removePod(path: string, send: RehearsedCluster['send']): Promise<void> {
  await send({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0`, user: kubelet });
}

function ownerOf(workload: ValueMap): PodOwner {
  const labels = Object.fromEntries(labelsOf(valueAt(workload, 'spec', 'template') ?? toValue({})));
  const [namespace, name] = [stringAt(workload, 'metadata', 'namespace'), stringAt(workload, 'metadata', 'name')];
  return { namespace, name, labels, whose: 'its' };
}

function splitBy<T>(values: readonly T[], isSecond: (value: T) => boolean): [T[], T[]] {
  return [values.filter(value => !isSecond(value)), values.filter(isSecond)];
}
