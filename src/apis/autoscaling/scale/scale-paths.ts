import type { CallContext } from '../../../apiserver/call/call-context.js';
import type { ReplicasPaths } from '../../../apiserver/patches/managed-fields/scale-owners.js';
import { pathOfElement } from '../../../apiserver/patches/structured-merge/field-set.js';
import { isMap, listAt, mapAt, stringAt, type ValueMap } from '../../../go/value.js';
import { apiVersionOf } from '../../../kubernetes/group-version.js';

/** Paths of an object's fields that its Scale shows, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  /** Path of a string; for built-in kinds a function that formats the object's selector. */
  readonly selector: string | ((object: ValueMap) => string) | undefined;
}

/** Returns the paths of the endpoint's resource. */
export function scalePathsOf({ definition, endpoint }: CallContext): ScalePaths {
  if (definition === undefined) return { spec: '.spec.replicas', status: '.status.replicas', selector: builtInSelector };
  const scale = mapAt(versionOf(definition, endpoint.resource.version), 'subresources', 'scale');
  const selector = stringAt(scale, 'labelSelectorPath');
  return { spec: stringAt(scale, 'specReplicasPath'), status: stringAt(scale, 'statusReplicasPath'), selector: selector || undefined };
}

/** Returns the replicas path of each version. */
export function replicasPathsOf({ definition, endpoint, served }: CallContext): ReplicasPaths {
  if (definition === undefined) {
    const { group, resource } = endpoint.resource;
    const versions = served.resources.filter(r => r.group === group && r.resource === resource);
    return new Map(versions.map(r => [apiVersionOf(r), pathOfElement('spec', 'replicas')]));
  }
  const group = stringAt(definition, 'spec', 'group');
  return new Map(
    listAt(definition, 'spec', 'versions').map(version => {
      const path = stringAt(version, 'subresources', 'scale', 'specReplicasPath').replace(/^\./, '');
      return [apiVersionOf({ group, version: stringAt(version, 'name') }), path === '' ? undefined : pathOfElement(...path.split('.'))];
    }),
  );
}

function versionOf(definition: ValueMap, name: string): ValueMap | undefined {
  return listAt(definition, 'spec', 'versions')
    .filter(isMap)
    .find(v => stringAt(v, 'name') === name);
}

/**
 * Returns a selector as kubectl takes it: `a=b,c in (d,e)`, sorted by key. Source: apimachinery meta/v1 LabelSelectorAsSelector,
 * labels.Selector String.
 */
function builtInSelector(object: ValueMap): string {
  const selector = mapAt(object, 'spec', 'selector');
  const isPlain = stringAt(object, 'kind') === 'ReplicationController';
  const labels = isPlain ? selector : mapAt(selector, 'matchLabels');
  const equal = [...(labels ?? [])].map(([key, value]) => [key, `${key}=${String(value)}`] as const);
  const expressions = isPlain ? [] : listAt(selector, 'matchExpressions').map(e => [stringAt(e, 'key'), expressionText(e)] as const);
  return [...equal, ...expressions]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

function expressionText(expression: Parameters<typeof stringAt>[0]): string {
  const key = stringAt(expression, 'key');
  const operator = stringAt(expression, 'operator');
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  const values = listAt(expression, 'values').map(String).sort();
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}
