import { queryOf, requestInfoOf } from '../apiserver/endpoints/request-info.js';
import { servedBy } from '../apiserver/endpoints/served-resources.js';
import { isMap, mapAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { apiVersionOf } from '../kubernetes/group-version.js';
import type { Resource } from '../kubernetes/resource-table.js';
import { parseSelectorText } from '../kubernetes/selector-text.js';

import type { RecordedCase } from './recorded-case.js';

/**
 * Returns objects that a call needs and its case omits: the workload of the stored Scale, and one object of a collection that is deleted.
 */
export function standIns({ call, state }: RecordedCase): readonly ValueMap[] {
  const info = requestInfoOf(call.path);
  if (info.type === 'other') return [];
  const { group, version, namespace, name } = info;
  const resource = servedBy(state).resources.find(r => r.group === group && r.version === version && r.resource === info.resource);
  if (resource === undefined) return [];
  const { kind } = resource.kind;
  if (state.objects.some(object => stringAt(object, 'kind') === kind)) return [];
  const scale = state.objects.find(object => stringAt(object, 'kind') === 'Scale' && stringAt(object, 'metadata', 'name') === name);
  if (info.subresource === 'scale' && scale !== undefined) return [workloadOf(state.server, scale, resource)];
  if (call.method !== 'DELETE' || name !== '') return [];
  const [selector = ''] = queryOf(call.path).get('labelSelector') ?? [];
  return [objectOf(resource, { name: 'one', namespace, labels: labelsFor(state.server, selector) }, {})];
}

function workloadOf(server: ApiServer, scale: ValueMap, resource: Resource): ValueMap {
  const labels = labelsFor(server, stringAt(scale, 'status', 'selector'));
  const replicas = valueAt(scale, 'spec', 'replicas') ?? null;
  const container = { name: 'app', image: 'app' };
  const spec = { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } };
  const current = valueAt(scale, 'status', 'replicas') ?? null;
  return objectOf(resource, mapAt(scale, 'metadata') ?? new Map(), { spec, status: { replicas: current } });
}

/** Returns labels that match a selector in text form. */
function labelsFor(server: ApiServer, selector: string): Record<string, string> {
  return Object.fromEntries(parseSelectorText(server, selector).map(({ key, values }) => [key, values[0] ?? '']));
}

function objectOf({ group, version, kind }: Resource, metadata: unknown, rest: object): ValueMap {
  const value: Value = toValue({ apiVersion: apiVersionOf({ group, version }), kind: kind.kind, metadata, ...rest });
  if (!isMap(value)) throw new Error('an object becomes a map');
  return value;
}
