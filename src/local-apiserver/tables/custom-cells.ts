import { writeValue } from '../../go/json/write.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { nameOf, since } from './cell-text.js';
import type { Column } from './columns.js';
import { findPath } from './json-path.js';

/**
 * Returns the cells of a custom resource, by the columns of its definition. Source: apiextensions-apiserver
 * pkg/registry/customresource/tableconvertor.
 */
export function customCells(object: ValueMap, columns: readonly Column[], now: Date): Value[] {
  return columns.map(({ jsonPath, type }) => {
    if (jsonPath === undefined) return nameOf(object);
    const [value] = findPath(object, jsonPath);
    return value === undefined || value === null ? null : cellOf(value, type, now);
  });
}

function cellOf(value: Value, type: string, now: Date): Value {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' ? value : typeof value === 'number' ? BigInt(Math.trunc(value)) : null;
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : since(value, now);
    default:
      return isMap(value) || isList(value) ? writeValue(value, 'sorted') : String(value);
  }
}
