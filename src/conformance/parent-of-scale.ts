import { isMap, mapAt, stringAt, toValue, type ValueMap, valueAt } from '../go/value.js';
import type { ClusterState } from '../kubernetes/api-call.js';
import { isDefinition } from '../kubernetes/definition-resources.js';
import { builtInResources } from '../kubernetes/resource-table.js';

const scalePath = /^\/(?:api\/|apis\/([^/]+)\/)([^/]+)\/namespaces\/[^/]+\/([^/]+)\/[^/]+\/scale(?:\?|$)/;

/**
 * Returns the object of a stored Scale, as kubectl would have posted it: cases contain the result of a GET of the subresource. Undefined
 * when the path is not that of a Scale.
 */
export function parentOfScale(
  scale: ValueMap,
  path: string,
  { server, objects }: Pick<ClusterState, 'server' | 'objects'>,
): ValueMap | undefined {
  const [, group = '', version = '', resource = ''] = scalePath.exec(path) ?? [];
  const kind = kindOf({ group, version, resource }, { server, objects });
  if (stringAt(scale, 'kind') !== 'Scale' || kind === undefined) return undefined;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const labels = labelsIn(stringAt(scale, 'status', 'selector'));
  const owner = {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion,
    time: stringAt(scale, 'metadata', 'creationTimestamp'),
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  };
  const metadata = new Map([...(mapAt(scale, 'metadata') ?? []), ['managedFields', toValue([owner])] as const]);
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0n;
  const spec = labels.size === 0 ? { replicas } : { replicas, ...workload(labels, group) };
  const parent = toValue({ kind, apiVersion, spec });
  return isMap(parent) ? parent.set('metadata', metadata) : undefined;
}

function kindOf(
  at: { group: string; version: string; resource: string },
  { server, objects }: Pick<ClusterState, 'server' | 'objects'>,
): string | undefined {
  const definition = objects.find(
    o => isDefinition(o) && stringAt(o, 'spec', 'group') === at.group && stringAt(o, 'spec', 'names', 'plural') === at.resource,
  );
  if (definition !== undefined) return stringAt(definition, 'spec', 'names', 'kind');
  const { resources } = builtInResources(server, 'all');
  return resources.find(r => r.group === at.group && r.version === at.version && r.resource === at.resource)?.kind.kind;
}

function labelsIn(selector: string): Map<string, string> {
  const pairs = selector.split(',').map(text => text.split('='));
  return new Map(pairs.flatMap(([key, value]) => (key === undefined || value === undefined ? [] : [[key, value] as const])));
}

/** Selectors of the core group are plain labels. */
function workload(labels: ReadonlyMap<string, string>, group: string): Record<string, unknown> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return { selector: group === '' ? labels : { matchLabels: labels }, template };
}
