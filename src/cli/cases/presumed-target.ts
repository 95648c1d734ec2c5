import { randomUUID } from 'node:crypto';
import { queryOf, requestInfoOf } from '../../apiserver/endpoints/request-info.js';
import { servedBy } from '../../apiserver/endpoints/served-resources.js';
import { stringAt, toValue, type ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { apiVersionOf } from '../../kubernetes/group-version.js';

/** Parts of a pod, node or service account that are asked for without a webhook being shown the object. */
const unseen: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy', 'eviction', 'binding', 'token', 'log']);

/**
 * What a call is about and no webhook sees: the object a read names, the pod, node or service account of a connection, eviction, binding
 * or token. Cases about selection leave it out. Undefined for other calls, and when it is there.
 */
export function presumedTarget({ method, path }: ApiCall, state: ClusterState): ValueMap | undefined {
  const info = requestInfoOf(path);
  if (info.type === 'other' || info.name === '') return undefined;
  const { group, version, name, subresource } = info;
  const isRead = (method === 'GET' || method === 'HEAD') && subresource === '';
  if (!isRead && !(unseen.has(subresource) && info.resource !== 'services')) return undefined;
  const resource = servedBy(state).resources.find(r => r.group === group && r.version === version && r.resource === info.resource);
  if (resource === undefined) return undefined;
  const { kind } = resource.kind;
  const namespace = resource.namespaced ? info.namespace : '';
  const isThere = state.objects.some(
    o => stringAt(o, 'kind') === kind && stringAt(o, 'metadata', 'name') === name && stringAt(o, 'metadata', 'namespace') === namespace,
  );
  if (isThere) return undefined;
  const metadata = { name, ...(namespace === '' ? {} : { namespace }), uid: randomUUID() };
  const spec = kind === 'Pod' ? { spec: { containers: [{ name: containerIn(path) }] } } : {};
  return toValue({ kind, apiVersion: apiVersionOf({ group, version }), metadata, ...spec }) as ValueMap;
}

/** The container that a stream is asked from. */
function containerIn(path: string): string {
  return queryOf(path).get('container')?.[0] ?? 'app';
}
