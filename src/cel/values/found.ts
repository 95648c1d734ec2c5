import { readUnstructured } from '../../encoding/unstructured.js';
import { type CelList, type CelValue, celError, celListOf, celNull, type ExtensionValue, type FoundValue, stringMap } from './value.js';

/** The CEL value for a found value: JSON data is wrapped. Source: cel-go types NativeToValue. */
export function adapt(found: FoundValue): CelValue {
  if (typeof found !== 'object') return found;
  if (found === null) return celNull;
  if (isCelObject(found)) return found;
  if (found instanceof Map) return stringMap(found);
  return Array.isArray(found) ? { ...celListOf(found), inside: 'data' } : adapt(readUnstructured(jsonTextOf(found)));
}

/** The element at a valid index of a list. */
export function itemAt(list: CelList, index: number): CelValue {
  const item = list.items[index];
  return item === undefined ? celError(`index '${index}' out of range in list size '${list.items.length}'`) : adapt(item);
}

/** All elements. */
export function foundItemsOf(list: CelList): readonly CelValue[] {
  return list.items.map(adapt);
}

/**
 * The value of a variable inside an optional: Go unwraps and rewraps it, which some types do not survive. Values with a schema become plain data: names are not
 * escaped, and times, numbers, sets and lists of maps are what they are in JSON. Source: cel-go interpreter/attributes.go applyQualifiers.
 */
export function rewrapped(value: CelValue): CelValue {
  if (typeof value !== 'object') return value;
  switch (value.kind) {
    case 'type':
      return value.type.name;
    case 'optional':
      return value.value === undefined ? celNull : rewrapped(value.value);
    case 'extension':
      return value.inner === undefined ? value : celError(insideError(value.inner));
    case 'map':
    case 'list':
      return value.schemed === undefined ? value : adapt(value.schemed.raw);
    default:
      return value;
  }
}

function insideError(inner: NonNullable<ExtensionValue['inner']>): string {
  return 'error' in inner ? inner.error : `unsupported conversion to ref.Val: (${inner.goType})${inner.goText}`;
}

/** Go's string for a value that is a string internally. */
export function textInside(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return undefined;
  if (value.kind === 'type') return value.type.name;
  return value.kind === 'optional' && value.value !== undefined ? textInside(value.value) : undefined;
}

/** The kind of an object that is a CEL value; undefined for JSON data. */
export function kindOfValue(found: object): unknown {
  // Unlike `'kind' in found`, V8 looks it up quickly for objects of many shapes.
  return (found as { readonly kind?: unknown }).kind;
}

type CelObject = Exclude<CelValue, string | number | bigint | boolean>;

function isCelObject(found: Exclude<FoundValue, string | number | bigint | boolean | null>): found is CelObject {
  return kindOfValue(found) !== undefined;
}

function jsonTextOf(found: Exclude<FoundValue, CelValue | null>): string {
  if ('rawJson' in found) return found.rawJson;
  throw new Error('neither a value nor JSON data');
}
