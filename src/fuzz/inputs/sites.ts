import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import type { ObjectShape, SchemaShape } from '../schemas/shape.js';

/** A value in an object, with its shape and its place. */
export interface InputSite {
  /** Map or list that holds it. */
  readonly holder: ValueMap | Value[];
  readonly key: string | number;
  readonly shape: SchemaShape;
  /** Type around it, and the field's name; items have those of their list. */
  readonly type: string;
  readonly field: string;
  readonly value: Value;
  readonly path: readonly (string | number)[];
}

/** Fields that identify the object, and fields that only the API server sets. */
const fixed = new Set(['apiVersion', 'kind', 'metadata', 'status']);
const fixedInMetadata = new Set([
  ...['namespace', 'uid', 'resourceVersion', 'generation', 'selfLink', 'creationTimestamp', 'managedFields', 'name', 'generateName'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds'],
]);

/** Reports whether a field of a type may change. */
export function isChangeable(shape: ObjectShape, field: string, depth: number): boolean {
  if (depth === 0) return !fixed.has(field);
  return !shape.name.endsWith('.ObjectMeta') || !fixedInMetadata.has(field);
}

/** Returns all values of an object whose shape is known, outer ones first. */
export function sitesOf(object: ValueMap, shape: ObjectShape): InputSite[] {
  const sites: InputSite[] = [];
  const visit = (value: Value, at: SchemaShape, place: { type: string; field: string; path: readonly (string | number)[] }): void => {
    if (at.type === 'object' && isMap(value)) {
      for (const [field, member] of value) {
        const of = at.fields.get(field);
        if (of === undefined) continue;
        const path = [...place.path, field];
        if (isChangeable(at, field, place.path.length))
          sites.push({ holder: value, key: field, shape: of, type: at.name, field, value: member, path });
        if (place.path.length > 0 || field === 'metadata' || !fixed.has(field)) visit(member, of, { type: at.name, field, path });
      }
    }
    if (at.type === 'map' && isMap(value)) {
      for (const [key, member] of value) {
        const path = [...place.path, key];
        const field = `${place.field}{}`;
        sites.push({ holder: value, key, shape: at.values, type: place.type, field, value: member, path });
        visit(member, at.values, { ...place, field, path });
      }
    }
    if (at.type === 'list' && isList(value)) {
      for (const [i, item] of value.entries()) {
        const path = [...place.path, i];
        sites.push({ holder: value, key: i, shape: at.items, type: place.type, field: place.field, value: item, path });
        visit(item, at.items, { ...place, path });
      }
    }
  };
  visit(object, shape, { type: '', field: '', path: [] });
  return sites;
}

/** Names of the fields that are present, by type. */
export function presentFields(object: ValueMap, shape: ObjectShape): string[] {
  return sitesOf(object, shape).flatMap(({ type, field, key }) =>
    typeof key === 'string' && !field.endsWith('{}') ? [`${type}.${field}`] : [],
  );
}
