import { copyOf, ensureMap, mapAt, sameValue, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';
import { builtInCodec } from '../../objects/built-in-codec.js';
import { semanticallyEqual } from '../../objects/semantic-equality.js';
import { kindDefinitionOf } from '../kind-definition.js';
import { createErrors, updateErrors } from '../object-errors.js';
import { objectMetaChanges, objectMetaErrors, objectMetaUpdateErrors } from '../object-meta.js';
import type { Strategy } from '../strategy.js';
import { FieldPath } from '../validation/field-path.js';
import { noteIncomplete, subresourceRulesOf, validationOf } from './validation-of.js';

/** Returns the default strategy: it resets the status on other endpoints and counts generations. */
export function commonStrategy(apiServer: ApiServer, resource: Resource, subresource: string): Strategy {
  const kind = kindDefinitionOf(apiServer, resource);
  const counts = kind.hasGeneration;
  const hasGeneration = resource.custom || (typeof counts === 'function' ? counts(apiServer) : counts === true);
  const rules = validationOf(apiServer, resource);
  const ofSubresource = subresource === '' ? 'object' : subresourceRulesOf(apiServer, resource, subresource);
  const updateRules = ofSubresource === 'object' ? rules : ofSubresource;
  return {
    allowsCreateOnUpdate: (subresource === '' || subresource === 'status') && kind.allowsCreateOnUpdate === true,
    allowsUnconditionalUpdate: !resource.custom && kind.allowsUnconditionalUpdate !== false,
    prepareForCreate: object => {
      if (resetsStatus(apiServer, resource)) object.delete('status');
      if (hasGeneration) ensureMap(object, 'metadata').set('generation', 1n);
    },
    validate: (object, { record, server }) => {
      if (subresource !== '') return [];
      noteIncomplete(server, resource, record);
      return rules === undefined ? objectMetaErrors(server, object, resource) : createErrors(server, object, resource, rules);
    },
    warningsOnCreate: (object, context) =>
      subresource === '' ? (rules?.warnings?.(FieldPath.root(context.server, object), undefined) ?? []) : [],
    prepareForUpdate: (object, old) => {
      if (subresource === 'status') keepAllButStatus(apiServer, object, old, resource);
      else if (resetsStatus(apiServer, resource)) restore(object, old, 'status');
      if (hasGeneration && subresource === '' && !equalIn(apiServer, resource, 'spec', object, old)) countGeneration(object, old);
    },
    validateUpdate: (object, old, { record, server }) => {
      const generic = objectMetaUpdateErrors(server, object, old, resource);
      if (updateRules === undefined) {
        noteIncomplete(server, resource, record, subresource);
        return [...generic, ...objectMetaChanges(server, object, old)];
      }
      const isCheckedTwice = subresource === '' && kind.checkedTwiceUntil !== undefined && server.until(kind.checkedTwiceUntil);
      const asNew =
        isCheckedTwice && rules !== undefined
          ? createErrors(server, object, resource, { ...rules, create: rules.existing ?? rules.create })
          : [];
      const isMetaValid = generic.length === 0;
      return [...generic, ...asNew, ...updateErrors(server, object, old, { resource, steps: updateRules.update, isMetaValid })];
    },
    warningsOnUpdate: (object, old, context) => {
      if (ofSubresource !== 'object') return ofSubresource?.warnings?.(FieldPath.root(context.server, object)) ?? [];
      return subresource === ''
        ? (rules?.warnings?.(FieldPath.root(context.server, object), FieldPath.root(context.server, old)) ?? [])
        : [];
    },
  };
}

/** Restores the stored metadata, except managed fields. Source: apimachinery meta/v1 ResetObjectMetaForStatus. */
export function keepMetadata(object: ValueMap, old: ValueMap): void {
  const metadata = ensureMap(object, 'metadata');
  const before = mapAt(old, 'metadata') ?? new Map();
  for (const key of ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences', 'selfLink'])
    restore(metadata, before, key);
}

/** Restores the stored value of a member. */
export function restore(object: ValueMap, old: ValueMap, key: string): void {
  const stored = old.get(key);
  if (stored === undefined) object.delete(key);
  else object.set(key, copyOf(stored));
}

/** Increments the stored generation, an int64 that overflows. */
export function countGeneration(object: ValueMap, old: ValueMap): void {
  const metadata = old.get('metadata');
  const generation = metadata instanceof Map ? metadata.get('generation') : undefined;
  const counted = BigInt.asIntN(64, (typeof generation === 'bigint' ? generation : 0n) + 1n);
  ensureMap(object, 'metadata').set('generation', counted);
}

function keepAllButStatus(server: ApiServer, object: ValueMap, old: ValueMap, resource: Resource): void {
  if (kindDefinitionOf(server, resource).keepsMetadataInStatus) keepMetadata(object, old);
  for (const key of new Set([...object.keys(), ...old.keys()])) {
    if (key !== 'kind' && key !== 'apiVersion' && key !== 'metadata' && key !== 'status') restore(object, old, key);
  }
}

/** Reports whether a member is semantically equal in both objects. */
export function equalIn(server: ApiServer, resource: Resource, key: string, object: ValueMap, old: ValueMap): boolean {
  const codec = builtInCodec(server, resource.kind);
  const schema = schemaOfKind(server, resource.kind);
  const hasSpec = schema?.fieldsByName.get('spec') !== undefined;
  // Most updates leave it as it is, which takes less time to see.
  const [now, before] = [object.get(key), old.get(key)];
  if (codec !== undefined && hasSpec && now !== undefined && before !== undefined && sameValue(now, before)) return true;
  const only = (from: ValueMap): ValueMap =>
    new Map([...from].filter(([k]) => k === key || (!hasSpec && k !== 'metadata' && k !== 'status')));
  return codec !== undefined && semanticallyEqual(server, only(object), only(old), codec);
}

/** Reports whether the status is reset on create and restored on update of the main resource. */
function resetsStatus(server: ApiServer, resource: Resource): boolean {
  if (resource.custom) return resource.subresources.some(s => s.name === 'status');
  return kindDefinitionOf(server, resource).resetsStatus === true;
}
