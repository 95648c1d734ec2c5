import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from '../structured-merge/atom.js';
import {
  difference,
  type FieldSet,
  type FieldSetNode,
  fieldSet,
  intersection,
  isEmpty,
  isSubset,
  union,
  withPrefix,
} from '../structured-merge/field-set.js';
import { type AtomHandler, handleValue } from '../structured-merge/handle-atom.js';
import { itemElement } from '../structured-merge/list-items.js';
import { elementText, fieldElement, type PathElement } from '../structured-merge/path-element.js';
import { toFieldSet } from '../structured-merge/to-field-set.js';
import type { Managers, VersionedSet } from './managers.js';
import { convertToVersion, type ManagedVersions, prefixFailedStep, type TypedObject, typeOfObject } from './versions.js';

/** Applying manager and its previous set. */
export interface Pruning {
  /** Managers, including the newly applied set. */
  readonly managers: Managers;
  readonly manager: string;
  readonly last: VersionedSet | undefined;
}

/**
 * Returns the merged object without the fields that the manager applied before and that nobody applies or owns now. Source:
 * structured-merge-diff merge/update.go prune.
 */
export async function pruneManaged(merged: TypedObject, { managers, last }: Pruning, versions: ManagedVersions): Promise<TypedObject> {
  if (last === undefined || isEmpty(last.set) || removesNothing(merged, { last, managers }, versions)) return merged;
  const converted = await prefixFailedStep(
    'to convert merged object to last applied version',
    convertToVersion(merged, last.apiVersion, versions),
  );
  if (converted === undefined) return merged;
  const removed = without(converted, named(last.set, converted, versions), versions);
  const owned = await prefixFailedStep('add back owned items', addBackOwned(converted, removed, { managers, versions }));
  const pruned = await prefixFailedStep('add back dangling items', addBackDangling(converted, owned, { last: last.set, versions }));
  return (await convertToVersion(pruned, merged.apiVersion, versions)) ?? merged;
}

/**
 * Reports whether everything that would be removed would certainly be restored, which is most of the work of an apply: the last fields are also those of another set,
 * in the only version, and none of them is in an item that is not one of them.
 */
function removesNothing(
  merged: TypedObject,
  { last, managers }: { readonly last: VersionedSet; readonly managers: Managers },
  versions: ManagedVersions,
): boolean {
  const { apiVersion, value } = merged;
  if (!isMap(value) || value.size === 0 || last.apiVersion !== apiVersion) return false;
  if (!hasItsItems(last.set, typeOfObject(merged, versions))) return false;
  const owned = [...managers.values()];
  return owned.every(other => other.apiVersion === apiVersion) && owned.some(({ set }) => isSubset(last.set, set));
}

/** Reports whether the set has all steps with paths below them that `withNamedMembers` does not add. */
function hasItsItems({ members, children }: FieldSet, type: Atom | undefined): boolean {
  for (const [text, { element, set }] of children) {
    if (!members.has(text) && !isDeclared(element, type)) return false;
    if (!hasItsItems(set, typeBelow(type, element))) return false;
  }
  return true;
}

/** Restores fields that any manager owns, each in the version it is owned in. */
async function addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  { managers, versions }: { readonly managers: Managers; readonly versions: ManagedVersions },
): Promise<TypedObject> {
  const owned = new Map<string, FieldSet>();
  // The pruned version comes first: conversion may need the removed fields.
  owned.set(pruned.apiVersion, fieldSet());
  for (const { apiVersion, set } of managers.values()) owned.set(apiVersion, union(owned.get(apiVersion) ?? fieldSet(), set));
  let [full, left] = [merged, pruned];
  for (const [apiVersion, set] of owned) {
    const fullHere = await prefixFailedStep(
      `to convert merged object at version ${apiVersion}`,
      convertToVersion(full, apiVersion, versions),
    );
    const leftHere =
      fullHere === undefined
        ? undefined
        : await prefixFailedStep(`to convert pruned object at version ${apiVersion}`, convertToVersion(left, apiVersion, versions));
    if (fullHere === undefined || leftHere === undefined) continue;
    const kept = union(fieldsOf(leftHere, versions), named(set, fullHere, versions));
    full = fullHere;
    left = without(fullHere, difference(fieldsOf(fullHere, versions), kept), versions);
  }
  return left;
}

/** Restores fields that were removed only with a parent, unless the manager applied them itself. */
async function addBackDangling(
  merged: TypedObject,
  pruned: TypedObject,
  { last, versions }: { readonly last: FieldSet; readonly versions: ManagedVersions },
): Promise<TypedObject> {
  const converted = await prefixFailedStep(
    'to convert pruned object to last applied version',
    convertToVersion(pruned, merged.apiVersion, versions),
  );
  if (converted === undefined) return merged;
  const gone = difference(fieldsOf(merged, versions), fieldsOf(converted, versions));
  return without(merged, intersection(gone, named(last, merged, versions)), versions);
}

function without(object: TypedObject, items: FieldSet, versions: ManagedVersions): TypedObject {
  return { apiVersion: object.apiVersion, value: removeItems(object.value, items, typeOfObject(object, versions)) };
}

function fieldsOf(object: TypedObject, versions: ManagedVersions): FieldSet {
  return named(toFieldSet(object.value, typeOfObject(object, versions)), object, versions);
}

function named(set: FieldSet, object: TypedObject, versions: ManagedVersions): FieldSet {
  return withNamedMembers(set, typeOfObject(object, versions));
}

/** Returns the set with all declared members that have paths below them. Source: structured-merge-diff Set.EnsureNamedFieldsAreMembers. */
function withNamedMembers(set: FieldSet, type: Atom | undefined): FieldSet {
  const members = new Map(set.members);
  const children = new Map<string, FieldSetNode>();
  for (const [text, { element, set: inside }] of set.children) {
    if (isDeclared(element, type)) members.set(text, element);
    children.set(text, { element, set: withNamedMembers(inside, typeBelow(type, element)) });
  }
  return { members, children };
}

function isDeclared(element: PathElement, type: Atom | undefined): boolean {
  return element.kind === 'field' && type?.map?.field(element.name) !== undefined;
}

function typeBelow(type: Atom | undefined, element: PathElement): Atom | undefined {
  if (element.kind === 'field' && type?.map !== undefined) return memberType(type.map, element.name);
  return element.kind === 'key' ? type?.list?.element : undefined;
}

/**
 * Returns the value without the members and items of the set. Leaves that the walk reaches are removed as a whole. Source:
 * structured-merge-diff typed/remove.go.
 */
export function removeItems(value: Value, items: FieldSet, type: Atom): Value {
  return handleValue(type, value, remover, { value, items });
}

interface Removal {
  readonly value: Value;
  readonly items: FieldSet;
}

const remover: AtomHandler<Removal, Value> = {
  onScalar: (_, { value }) => value,
  onList: (list, { value, items }) => removeFromList(value, items, list),
  onMap: (map, { value, items }) => removeFromMap(value, items, map),
};

function removeFromList(value: Value, items: FieldSet, list: ListAtom): Value {
  if (!isList(value) || !isAssociative(list)) return null;
  const kept: Value[] = [];
  for (const item of value) {
    const element = itemElement(list, item);
    if (element.kind !== 'none' && items.members.has(elementText(element))) continue;
    const inside = element.kind === 'none' ? undefined : withPrefix(items, element);
    kept.push(inside === undefined || isEmpty(inside) ? item : removeItems(item, inside, list.element));
  }
  return kept.length > 0 ? kept : null;
}

function removeFromMap(value: Value, items: FieldSet, map: MapAtom): Value {
  if (!isMap(value) || map.relationship === 'atomic') return null;
  const kept: ValueMap = new Map();
  for (const [key, member] of value) {
    const element = fieldElement(key);
    if (items.members.has(elementText(element))) continue;
    const inside = withPrefix(items, element);
    const type = memberType(map, key);
    kept.set(key, isEmpty(inside) || type === undefined ? member : removeItems(member, inside, type));
  }
  return kept.size > 0 ? kept : null;
}
