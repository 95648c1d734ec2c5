import { isList, isMap, isRawJson, type Value } from '../../../go/value.js';
import { type Atom, isAssociative, memberType } from './atom.js';
import { itemElement } from './list-items.js';
import { elementText } from './path-element.js';

/**
 * Returns a text of what decides which members of an object are written as JSON, their paths, and whether they fit their types: names of members, keys of items,
 * and of other scalars whether they are zero values. Objects with the same text have the same set of fields, also beside an object that has only zero values.
 * undefined where that is not certain: for values that do not fit the type, and for raw JSON and floats.
 */
export function mergeShapeOf(value: Value, type: Atom): string | undefined {
  if (isMap(value)) return mapShape(value, type);
  if (isList(value)) return listShape(value, type);
  switch (typeof value) {
    case 'string':
      // Quantities, durations and times have zero values of their own: 0, 0s, 0001-01-01T00:00:00Z.
      return isMaybeZero(value) ? withLength(value) : 's';
    case 'bigint':
      return value === 0n ? '0' : 'i';
    case 'boolean':
      return value ? 't' : 'f';
    default:
      return value === null ? 'n' : undefined;
  }
}

function mapShape(value: ReadonlyMap<string, Value>, { map }: Atom): string | undefined {
  if (map === undefined) return undefined;
  let shape = '{';
  for (const [key, member] of value) {
    const type = memberType(map, key);
    const inside = type === undefined || isRawJson(member) ? undefined : mergeShapeOf(member, type);
    if (inside === undefined) return undefined;
    shape += withLength(key) + inside;
  }
  return `${shape}}`;
}

function listShape(value: readonly Value[], { list }: Atom): string | undefined {
  if (list === undefined) return undefined;
  let shape = '[';
  for (const item of value) {
    const inside = isRawJson(item) ? undefined : mergeShapeOf(item, list.element);
    if (inside === undefined) return undefined;
    if (isAssociative(list)) {
      const element = itemElement(list, item);
      if (element.kind === 'none') return undefined;
      shape += withLength(elementText(element));
    }
    shape += inside;
  }
  return `${shape}]`;
}

function isMaybeZero(text: string): boolean {
  return text === '' || '0.+-'.includes(text.charAt(0));
}

/** A text may contain what separates others. */
function withLength(text: string): string {
  return `${text.length}:${text}`;
}
