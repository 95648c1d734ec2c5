import { createdBy } from '../../../../src/controllers/created-by.js';
import { writeValue } from '../../../../src/go/json/write.js';
import { toValue, type ValueMap } from '../../../../src/go/value.js';
import { clusterStateWith } from '../../../support/cluster-state.js';
import type { Random } from '../../random.js';
import { namespaceSetup, placed } from '../base.js';
import { changed } from '../changes.js';
import type { JsonObject, Scene } from '../scene.js';
import type { Seeds } from '../seeds.js';

const workloads = ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Deployment', 'ReplicationController'];

/** Pods, jobs and replica sets as the workload controllers create them. */
export function createdPods(r: Random, seeds: Seeds): Scene {
  for (;;) {
    const { manifest } = placed(r, seeds, r.pick(workloads));
    const metadata = { ...(manifest['metadata'] as JsonObject), namespace: '{id}', uid: '6a1d1c2e-0000-4000-8000-000000000001' };
    const workload = toValue({ ...changed(r, manifest, seeds), metadata }) as ValueMap;
    const created = createdObject(workload);
    if (created === undefined) continue;
    const body = JSON.parse(writeValue(created.object, 'kept')) as JsonObject;
    const path = paths[String(body['kind'])];
    if (path === undefined) continue;
    const username = `system:serviceaccount:kube-system:${created.controller}`;
    return { setup: namespaceSetup(), call: { method: 'POST', path, body, user: { username } } };
  }
}

const paths: Readonly<Record<string, string>> = {
  Pod: '/api/v1/namespaces/{id}/pods',
  Job: '/apis/batch/v1/namespaces/{id}/jobs',
  ReplicaSet: '/apis/apps/v1/namespaces/{id}/replicasets',
};

/** Undefined if the changed object is not valid for a controller. */
function createdObject(workload: ValueMap): ReturnType<typeof createdBy> {
  try {
    return createdBy(workload, {
      state: clusterStateWith({ presumesNamespaces: false }),
      now: new Date(),
    });
  } catch {
    return undefined;
  }
}
