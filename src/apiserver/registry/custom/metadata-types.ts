import { shownValue } from '../../../encoding/shown-value.js';
import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { type FieldError, invalidValue } from '../../../kubernetes/field-error.js';
import type { Schema } from '../../../kubernetes/schema.js';
import { structNamed } from '../../../kubernetes/type-table.js';

/**
 * Returns the error of metadata with a value of a wrong type, as a webhook's patch can leave it. Since v1.37 it is the only error of the
 * metadata; earlier API servers drop such values. Source: apiextensions-apiserver registry/customresource/validator.go getObjectMeta.
 */
export function metadataTypeErrors(server: ApiServer, object: ValueMap): FieldError[] {
  const metadata = object.get('metadata') ?? null;
  if (!server.since('v1.37') || !isMap(metadata)) return [];
  const problem = problemOf(structNamed(server, 'meta/v1.ObjectMeta'), metadata);
  return problem === undefined ? [] : [invalidValue('metadata', shownValue(metadata), problem)];
}

/** Returns the first problem of the conversion to a Go value. Source: apimachinery runtime/converter.go fromUnstructured. */
function problemOf(schema: Schema, value: Value): string | undefined {
  if (value === null) return undefined;
  switch (schema.type) {
    case 'struct':
      if (!isMap(value)) return `cannot restore struct from: ${kindOf(value)}`;
      return firstOf([...schema.fieldsByName], ([name, field]) => problemOf(field.schema, value.get(name) ?? null));
    case 'map':
      if (!isMap(value)) return `cannot restore map from ${kindOf(value)}`;
      return firstOf([...value.values()], item => problemOf(schema.values, item));
    case 'list':
      if (!isList(value)) return `cannot restore slice from ${kindOf(value)}`;
      return firstOf(value, item => problemOf(schema.items, item));
    default:
      return scalarProblem(schema.leaf, value);
  }
}

function firstOf<T>(items: readonly T[], problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const scalars = ['string', 'bool', 'int64'];

/** Numbers and strings convert into each other in Go's rules, though not here, which is an error of its own. */
function scalarProblem(type: string, value: Value): string | undefined {
  const wanted = scalars.find(name => name === type);
  const found = kindOf(value);
  if (wanted === undefined || found === wanted || (wanted === 'int64' && typeof value === 'number' && Number.isInteger(value)))
    return undefined;
  const isConvertible = (wanted === 'string' && found === 'int64') || (wanted === 'int64' && found === 'float64');
  return isConvertible ? `cannot convert ${found} to ${wanted}` : `unrecognized type: ${wanted}`;
}

/** Returns Go's kind of a JSON value. */
function kindOf(value: Value): string {
  if (isMap(value)) return 'map';
  if (isList(value)) return 'slice';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'int64' : 'float64';
}
