import { isList, isMap, type Value } from '../../../go/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { type FieldSet, type FieldSetPath, fieldSet, insert } from './field-set.js';
import { type AtomHandler, handleValue } from './handle-atom.js';
import { itemsOfList } from './list-items.js';
import { elementText, fieldElement } from './path-element.js';

/**
 * Returns the paths that a value sets: its leaves, the items of its lists, and undeclared members. Items that share a key count as one
 * path, without their content. Source: structured-merge-diff typed/tofieldset.go.
 */
export function toFieldSet(value: Value, type: Atom): FieldSet {
  const set = fieldSet();
  visit({ value, set, path: [] }, type);
  return set;
}

interface VisitedValue {
  readonly value: Value;
  readonly set: FieldSet;
  readonly path: FieldSetPath;
}

const visitor: AtomHandler<VisitedValue, void> = {
  onScalar: (_, { set, path }) => {
    insert(set, path);
  },
  onList: (list, place) => {
    visitList(place, list);
  },
  onMap: (map, place) => {
    visitMap(place, map);
  },
};

function visit(place: VisitedValue, type: Atom): void {
  handleValue(type, place.value, visitor, place);
}

function visitList({ value, set, path }: VisitedValue, list: ListAtom): void {
  if (!isAssociative(list)) insert(set, path);
  else if (isList(value)) {
    const items = itemsOfList(list, value);
    const counts = new Map<string, number>();
    for (const { element } of items) counts.set(elementText(element), (counts.get(elementText(element)) ?? 0) + 1);
    for (const { element, item } of items) {
      const at = [...path, element];
      if (counts.get(elementText(element)) === 1) visit({ value: item, set, path: at }, list.element);
      insert(set, at);
    }
  }
}

function visitMap({ value, set, path }: VisitedValue, map: MapAtom): void {
  if (map.relationship === 'atomic') insert(set, path);
  else if (isMap(value)) {
    for (const [key, member] of value) {
      const type = memberType(map, key);
      const at = [...path, fieldElement(key)];
      if (type !== undefined) visit({ value: member, set, path: at }, type);
      const isEmpty = member === null || (isMap(member) && member.size === 0);
      if (isEmpty || map.field(key) === undefined) insert(set, at);
    }
  }
}
