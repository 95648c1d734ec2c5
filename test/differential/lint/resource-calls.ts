import type { Resource } from '../../../src/kubernetes/resource-table.js';
import { sampleObjects, sampleSubresources } from '../../../src/lint/sample-objects.js';
import { type Call, mergePatch } from './cluster.js';

/** Returns the path of a resource in a namespace. */
export function pathOf({ group, version, resource, namespaced }: Resource, namespace: string): string {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${base}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`;
}

/** Returns a call for each operation on a resource and its subresources: creation first, deletion last. */
export function callsFor(resource: Resource, namespace: string, name: string): Call[] {
  const { group, version, kind, resource: plural, subresources } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = { apiVersion, kind: kind.kind, metadata: { name }, ...sampleObjects.get(`${group}/${plural}`) };
  const path = pathOf(resource, namespace);
  const change = { metadata: { annotations: { changed: 'yes' } } };
  const under = (sub: string, body: object): Call => ({ method: 'PATCH', path: `${path}/${name}/${sub}`, contentType: mergePatch, body });
  const others = subresources.flatMap(({ name: sub }): Call[] => {
    if (sub === 'binding') return [];
    if (sub === 'eviction')
      return [{ method: 'POST', path: `${path}/${name}/eviction?dryRun=All`, body: named(sampleSubresources['eviction'], name) }];
    if (sub === 'token') return [{ method: 'POST', path: `${path}/${name}/token`, body: sampleSubresources['token'] ?? {} }];
    if (sub === 'scale') return [under(sub, { spec: { replicas: 0 } })];
    if (sub === 'finalize')
      return [{ method: 'PUT', path: `${path}/${name}/finalize`, body: { ...object, spec: { finalizers: ['kubernetes'] } } }];
    if (['exec', 'attach', 'portforward'].includes(sub)) return [{ method: 'POST', path: `${path}/${name}/${sub}?command=ls&stdout=true` }];
    if (sub === 'proxy') return [{ method: 'GET', path: `${path}/${name}/proxy/x` }];
    return sub === 'log' ? [] : [under(sub, change)];
  });
  return [
    { method: 'POST', path, body: object },
    { method: 'PATCH', path: `${path}/${name}`, contentType: mergePatch, body: change },
    ...others,
    { method: 'DELETE', path: `${path}/${name}?gracePeriodSeconds=0` },
    ...(path.endsWith('/pods') ? callsForMirrorPod(path, `${name}-mirror`) : []),
    // Of a pod that is gone: one that is bound is not the smallest any more.
    ...(subresources.some(one => one.name === 'binding')
      ? [{ method: 'POST', path: `${path}/${name}/binding`, body: named(sampleSubresources['binding'], name) }]
      : []),
  ];
}

function named(body: object | undefined, name: string): object {
  return { ...body, metadata: { name } };
}

/** Calls of a kubelet for a static pod, to which no plugin adds anything: it has no ServiceAccount. */
function callsForMirrorPod(path: string, name: string): Call[] {
  const metadata = { name, annotations: { 'kubernetes.io/config.mirror': 'a' } };
  const spec = { nodeName: 'node-1', containers: [{ name: 'a', image: 'a' }] };
  return [
    { method: 'POST', path, body: { apiVersion: 'v1', kind: 'Pod', metadata, spec } },
    { method: 'PATCH', path: `${path}/${name}`, contentType: mergePatch, body: { metadata: { annotations: { changed: 'yes' } } } },
    { method: 'DELETE', path: `${path}/${name}?gracePeriodSeconds=0` },
  ];
}
