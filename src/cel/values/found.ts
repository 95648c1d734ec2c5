import { readUnstructured } from '../../encoding/unstructured.js';
import { type CelList, type CelValue, celError, celNull, type Extension, type Found, listOf, stringMap } from './value.js';

/** A value of the language for what was found: JSON data is wrapped. Source: cel-go types NativeToValue. */
export function adapt(found: Found): CelValue {
  if (typeof found !== 'object') return found;
  if (found === null) return celNull;
  if (isCelObject(found)) return found;
  if (found instanceof Map) return stringMap(found);
  return Array.isArray(found) ? { ...listOf(found), inside: 'data' } : adapt(readUnstructured(jsonTextOf(found)));
}

/** The element at an index within the list. */
export function itemAt(list: CelList, index: number): CelValue {
  const item = list.items[index];
  return item === undefined ? celError(`index '${index}' out of range in list size '${list.items.length}'`) : adapt(item);
}

/** All elements. */
export function itemsOf(list: CelList): readonly CelValue[] {
  return list.items.map(adapt);
}

/** What stays of a value that a variable inside an optional held: Go unwraps it and wraps it again, which not every type survives. */
export function rewrapped(value: CelValue): CelValue {
  if (typeof value !== 'object') return value;
  switch (value.kind) {
    case 'type':
      return value.type.name;
    case 'optional':
      return value.value === undefined ? celNull : rewrapped(value.value);
    case 'extension':
      return value.inner === undefined ? value : celError(insideError(value.inner));
    default:
      return value;
  }
}

function insideError(inner: NonNullable<Extension['inner']>): string {
  return 'error' in inner ? inner.error : `unsupported conversion to ref.Val: (${inner.goType})${inner.goText}`;
}

/** The text Go holds inside a value where it holds one. */
export function textInside(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return undefined;
  if (value.kind === 'type') return value.type.name;
  return value.kind === 'optional' && value.value !== undefined ? textInside(value.value) : undefined;
}

type CelObject = Exclude<CelValue, string | number | bigint | boolean>;

function isCelObject(found: Exclude<Found, string | number | bigint | boolean | null>): found is CelObject {
  return 'kind' in found;
}

function jsonTextOf(found: Exclude<Found, CelValue | null>): string {
  if ('rawJson' in found) return found.rawJson;
  throw new Error('neither a value nor JSON data');
}
