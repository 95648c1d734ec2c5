import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { type FieldSet, isEmpty, withPrefix } from './field-set.js';
import { type AtomHandler, handleValue } from './handle-atom.js';
import { itemElement } from './list-items.js';
import { elementText, fieldElement } from './path-element.js';

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
