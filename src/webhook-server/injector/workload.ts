import { isMap, listAt, stringAt, type ValueMap } from '../../go/value.js';
import { textsAt } from './pods.js';

/** Workload of a pod. */
export interface Workload {
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
  readonly apiVersion: string;
}

/** Derives the workload of a pod from its controller. Source: istio pkg/kube util.go GetDeployMetaFromPod. */
export function injectedWorkloadOf(pod: ValueMap): Workload {
  const namespace = stringAt(pod, 'metadata', 'namespace');
  const podName = stringAt(pod, 'metadata', 'name');
  const own = { name: podName, namespace, kind: 'Pod', apiVersion: 'v1' };
  if (stringAt(pod, 'metadata', 'generateName') === '') return own;
  const controller = listAt(pod, 'metadata', 'ownerReferences').find(reference => isMap(reference) && reference.get('controller') === true);
  if (controller === undefined) return own;
  const found = {
    name: stringAt(controller, 'name'),
    namespace,
    kind: stringAt(controller, 'kind'),
    apiVersion: stringAt(controller, 'apiVersion'),
  };
  const above = aboveController(found, pod);
  return above.name === '' ? { ...above, name: podName } : above;
}

function aboveController(found: Workload, pod: ValueMap): Workload {
  const labels = textsAt(pod, 'labels');
  const hash = labels.get('pod-template-hash') ?? '';
  if (found.kind === 'ReplicaSet' && hash !== '' && found.name.endsWith(hash)) {
    const name = found.name.endsWith(`-${hash}`) ? found.name.slice(0, -hash.length - 1) : found.name;
    return { ...found, name, kind: 'Deployment' };
  }
  const deploymentConfig = labels.get('deploymentconfig') ?? '';
  if (found.kind === 'ReplicationController' && deploymentConfig !== '')
    return { ...found, name: deploymentConfig, kind: 'DeploymentConfig' };
  const cronJob = found.kind === 'Job' ? /^(.+)-\d{8,10}$/.exec(found.name)?.[1] : undefined;
  return cronJob === undefined ? found : { ...found, name: cronJob, kind: 'CronJob', apiVersion: 'batch/v1' };
}
