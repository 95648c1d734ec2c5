import { writeValue } from '../../../../go/json/write.js';
import { listAt, mapAt, stringAt, type ValueMap } from '../../../../go/value.js';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../../../kubernetes/field-error.js';
import { internalItems } from './internal-form.js';

/**
 * Validates a schema's `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`. Source: apiextensions-apiserver
 * apis/apiextensions/validation ValidateCustomResourceDefinitionOpenAPISchema, validateMapListKeysMapSet.
 */
export function listTypeRuleErrors(schema: ValueMap, path: string, requires: ListRequirements): FieldError[] {
  return [
    ...mapTypeErrors(schema, path),
    ...listErrors(schema, path, requires),
    ...keyErrors(schema, path),
    ...(requires.presentKeys ? itemErrors(schema, path) : []),
  ];
}

/** Requirements of list types. */
export interface ListRequirements {
  /** Whether items of sets must be atomic. */
  readonly atomicSets: boolean;
  /** Whether keys of lists of type map must be required and not nullable, and the items of these lists and of sets not nullable. */
  readonly presentKeys: boolean;
}

function mapTypeErrors(schema: ValueMap, path: string): FieldError[] {
  const mapType = schema.get('x-kubernetes-map-type');
  if (typeof mapType !== 'string') return [];
  const errors = wrongType(schema, path, 'object', 'map');
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  return errors;
}

function wrongType(schema: ValueMap, path: string, wanted: string, what: string): FieldError[] {
  const type = stringAt(schema, 'type');
  if (type === wanted) return [];
  const message = `must be ${wanted} if x-kubernetes-${what}-type is specified`;
  return [type === '' ? required(`${path}.type`, message) : invalidValue(`${path}.type`, type, message)];
}

function listErrors(schema: ValueMap, path: string, { atomicSets }: ListRequirements): FieldError[] {
  const listType = schema.get('x-kubernetes-list-type');
  if (typeof listType !== 'string') return [];
  const errors = wrongType(schema, path, 'array', 'list');
  if (errors.length === 0 && atomicSets) errors.push(...setErrors(schema, path));
  if (!['atomic', 'set', 'map'].includes(listType))
    errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
  return errors;
}

/** Requires atomic items of sets. The message shows the items' list type in either case. */
export function setErrors(schema: ValueMap, path: string): FieldError[] {
  const items = mapAt(schema, 'items');
  if (stringAt(schema, 'x-kubernetes-list-type') !== 'set' || items === undefined) return [];
  const message = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items.get('x-kubernetes-list-type');
  const shown = typeof listType === 'string' ? listType : null;
  const type = stringAt(items, 'type');
  if (type === 'array' && shown !== null && shown !== 'atomic')
    return [invalidValue(`${path}.items.x-kubernetes-list-type`, shown, message)];
  if (type === 'object' && items.get('x-kubernetes-map-type') !== 'atomic')
    return [invalidValue(`${path}.items.x-kubernetes-map-type`, shown, message)];
  return [];
}

function keyErrors(schema: ValueMap, path: string): FieldError[] {
  const keys = listAt(schema, 'x-kubernetes-list-map-keys').map(String);
  const listType = schema.get('x-kubernetes-list-type');
  const errors: FieldError[] = [];
  if (keys.length > 0 && listType !== 'map') {
    const message = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${path}.x-kubernetes-list-type`;
    errors.push(typeof listType === 'string' ? invalidValue(field, listType, message) : required(field, message));
  }
  if (listType !== 'map') return errors;
  const field = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(required(field, 'must not be empty if x-kubernetes-list-type is map'));
  const given = schema.get('items');
  if (given === undefined) return [...errors, required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  const items = mapAt(schema, 'items');
  if (items === undefined) {
    const message = 'must only have a single schema if x-kubernetes-list-type is map';
    return [...errors, invalidValue(`${path}.items`, { rawJson: internalItems(given) }, message)];
  }
  const type = stringAt(items, 'type');
  if (type !== 'object')
    return [...errors, invalidValue(`${path}.items.type`, type, "must be object if parent array's x-kubernetes-list-type is map")];
  const shown = { rawJson: writeValue(keys, 'kept') };
  for (const [i, key] of keys.entries()) {
    const property = mapAt(items, 'properties', key);
    if (property === undefined) errors.push(invalidValue(field, shown, 'entries must all be names of item properties'));
    else if (['array', 'object'].includes(stringAt(property, 'type')))
      errors.push(
        invalidValue(
          `${path}.items.properties[${key}].type`,
          type,
          "must be a scalar type if parent array's x-kubernetes-list-type is map",
        ),
      );
    if (keys.indexOf(key) < i) errors.push(invalidValue(field, shown, 'must not contain duplicate entries'));
  }
  return errors;
}

/** Requires keys, and items that are not nullable. Source: validation.go validateMapListKeysMapSet. */
export function itemErrors(schema: ValueMap, path: string): FieldError[] {
  const items = mapAt(schema, 'items');
  const listType = stringAt(schema, 'x-kubernetes-list-type');
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.get('nullable') === true)
    errors.push(forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  for (const key of listType === 'map' ? listAt(schema, 'x-kubernetes-list-map-keys').map(String) : []) {
    const property = mapAt(items, 'properties', key);
    if (property === undefined) continue;
    const field = `${path}.items.properties[${key}]`;
    if (!listAt(items, 'required').includes(key) && !property.has('default')) {
      const message = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(required(`${field}.default`, message));
    }
    if (property.get('nullable') === true)
      errors.push(forbiddenField(`${field}.nullable`, 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'));
  }
  return errors;
}
