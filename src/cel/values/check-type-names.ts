import { quote } from '../../go/quote.js';
import { adapt } from './found.js';
import { mapEntries } from './maps.js';
import { objectFieldsOf } from './patch-values.js';
import type { CelValue, FoundValue } from './value.js';

/**
 * Returns the error for invalid type names in an object literal: each must match the path of its field. Source: apiserver
 * pkg/cel/mutation/dynamic/objects.go CheckTypeNamesMatchFieldPathNames.
 */
export function typeNameProblems(value: CelValue): string[] {
  const name = objectFieldsOf(value)?.typeName;
  return name === undefined ? [] : problemsAt(value, name);
}

function problemsAt(value: CelValue, path: string): string[] {
  const object = objectFieldsOf(value);
  if (object !== undefined) {
    const { typeName, fields } = object;
    const own =
      typeName === path
        ? []
        : [`unexpected type name ${quote(typeName)}, expected ${quote(path)}, which matches field name path from root Object type`];
    return [...own, ...[...fields].flatMap(([name, field]) => problemsAt(field, `${path}.${name}`))];
  }
  if (typeof value !== 'object') return [];
  // Lists concatenated with + are not checked.
  if (value.kind === 'list' && value.goType !== 'concatList') return value.items.flatMap(item => problemsInside(item, path));
  if (value.kind === 'map' && value.entries.keys === 'values') return mapEntries(value).flatMap(([, entry]) => problemsInside(entry, path));
  return [];
}

function problemsInside(found: FoundValue, path: string): string[] {
  return typeof found === 'object' && found !== null && 'kind' in found ? problemsAt(adapt(found), path) : [];
}
