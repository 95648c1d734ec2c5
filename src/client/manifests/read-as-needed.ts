import { requestInfoOf } from '../../apiserver/call/request-info.js';
import { resourceNamed, servedBy } from '../../apiserver/call/served-resources.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { stringAt, type Value } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { NotYetRead } from '../../kubernetes/object-source.js';
import { type Storage, storageOf } from '../../kubernetes/storage.js';

/** Looks up all objects that a call always needs, so that they are read from the cluster concurrently. Throws NotYetRead. */
export function lookUpExpected(call: ApiCall, state: ClusterState): void {
  const storage = storageOf(state);
  let missed: NotYetRead | undefined;
  for (const lookUp of expectedLookups(call, state)) {
    try {
      lookUp(storage);
    } catch (error) {
      if (!(error instanceof NotYetRead)) throw error;
      missed = error;
    }
  }
  if (missed !== undefined) throw missed;
}

type Lookup = (storage: Storage) => unknown;

function expectedLookups(call: ApiCall, state: ClusterState): Lookup[] {
  const info = requestInfoOf(call.path);
  if (info.type === 'other') return [];
  const resource = resourceNamed(servedBy(state), info);
  if (resource === undefined) return [];
  const namespace = info.inNamespace ? info.namespace : '';
  const isCreation = call.method === 'POST' && info.subresource === '';
  const body = isCreation ? bodyOf(call) : undefined;
  const name = isCreation ? stringAt(body, 'metadata', 'name') : info.name;
  const own: Lookup[] = name === '' ? [] : [storage => storage.find(resource.kind, namespace, name)];
  if (!isCreation || namespace === '') return own;
  const inNamespace: Lookup[] = [storage => storage.find({ group: '', kind: 'Namespace' }, '', namespace)];
  const ofPods = resource.group === '' && resource.resource === 'pods' ? podLookups(namespace, body) : [];
  return [...own, ...inNamespace, ...ofPods];
}

function podLookups(namespace: string, pod: Value | undefined): Lookup[] {
  const account = stringAt(pod, 'spec', 'serviceAccountName') || 'default';
  const priority = stringAt(pod, 'spec', 'priorityClassName');
  const priorityClass = { group: 'scheduling.k8s.io', kind: 'PriorityClass' };
  return [
    storage => storage.list({ group: '', kind: 'LimitRange' }, namespace),
    storage => storage.list({ group: '', kind: 'ResourceQuota' }, namespace),
    storage => storage.find({ group: '', kind: 'ServiceAccount' }, namespace, account),
    storage => (priority === '' ? storage.list(priorityClass) : storage.find(priorityClass, '', priority)),
  ];
}

/** Nothing is known about unreadable bodies. */
function bodyOf({ contentType, body }: ApiCall): Value | undefined {
  if (contentType !== 'application/json' || body === undefined) return undefined;
  try {
    return readUnstructured(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}
