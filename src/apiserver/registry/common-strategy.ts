import type { Resource } from '../../kubernetes/resource-table.js';
import { schemaOfKind } from '../../kubernetes/type-table.js';
import { copyOf, ensureMap, type ValueMap } from '../../kubernetes/value.js';
import { builtInCodec } from '../objects/built-in-codec.js';
import { semanticallyEqual } from '../objects/semantic-equality.js';
import { createOnUpdate, hasGeneration, noUnconditionalUpdate, resetsStatus } from './kind-traits.js';
import type { Strategy } from './strategy.js';
import { objectMetaErrors, objectMetaUpdateErrors } from './validation/object-meta.js';

/** What most kinds do: reset the status the endpoint does not write, count generations. */
export function commonStrategy(resource: Resource, subresource: string): Strategy {
  const name = resource.resource;
  return {
    allowsCreateOnUpdate: subresource === '' && createOnUpdate.has(name) && !resource.custom,
    allowsUnconditionalUpdate: !resource.custom && !noUnconditionalUpdate.has(name),
    prepareForCreate: object => {
      if (resetsStatus(resource)) object.delete('status');
      if (hasGeneration(resource)) ensureMap(object, 'metadata').set('generation', 1n);
    },
    validate: object => (subresource === '' ? objectMetaErrors(object, resource) : []),
    prepareForUpdate: (object, old) => {
      if (subresource === 'status') keepSpec(object, old);
      else if (resetsStatus(resource)) restore(object, old, 'status');
      if (hasGeneration(resource) && subresource === '' && !equalIn(resource, 'spec', object, old)) countGeneration(object, old);
    },
    validateUpdate: (object, old) => objectMetaUpdateErrors(object, old),
  };
}

/** Puts the stored value of a member back. */
export function restore(object: ValueMap, old: ValueMap, key: string): void {
  const stored = old.get(key);
  if (stored === undefined) object.delete(key);
  else object.set(key, copyOf(stored));
}

/** One more than the stored generation. */
export function countGeneration(object: ValueMap, old: ValueMap): void {
  const metadata = old.get('metadata');
  const generation = metadata instanceof Map ? metadata.get('generation') : undefined;
  ensureMap(object, 'metadata').set('generation', (typeof generation === 'bigint' ? generation : 0n) + 1n);
}

function keepSpec(object: ValueMap, old: ValueMap): void {
  for (const key of new Set([...object.keys(), ...old.keys()])) {
    if (key !== 'kind' && key !== 'apiVersion' && key !== 'metadata' && key !== 'status') restore(object, old, key);
  }
}

/** Is a member semantically the same in both objects? */
export function equalIn(resource: Resource, key: string, object: ValueMap, old: ValueMap): boolean {
  const codec = builtInCodec(resource.kind);
  const schema = schemaOfKind(resource.kind);
  const only = (from: ValueMap): ValueMap =>
    new Map([...from].filter(([k]) => k === key || (schema?.fieldsByName.get('spec') === undefined && k !== 'metadata' && k !== 'status')));
  return codec !== undefined && semanticallyEqual(only(object), only(old), codec);
}
