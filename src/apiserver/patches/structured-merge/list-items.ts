import { isList, isMap, type Value } from '../../../go/value.js';
import type { ListAtom } from './atom.js';
import { type KeyField, keyElement, type PathElement } from './path-element.js';

/** Reason why a list item has no key. */
export interface NoElement {
  readonly kind: 'none';
  readonly message: string;
}

/** Returns the step to an item of an associative list. Source: structured-merge-diff typed/helpers.go listItemToPathElement. */
export function itemElement(list: ListAtom, item: Value): PathElement | NoElement {
  return list.keys.length > 0 ? keyedItem(list, item) : setItem(item);
}

/** Returns the items of a list with their steps; items without one are skipped, as everywhere except in validation. */
export function itemsOfList(list: ListAtom, items: readonly Value[]): { readonly element: PathElement; readonly item: Value }[] {
  return items.flatMap(item => {
    const element = itemElement(list, item);
    return element.kind === 'none' ? [] : [{ element, item }];
  });
}

function keyedItem(list: ListAtom, item: Value): PathElement | NoElement {
  if (item === null) return none('associative list with keys may not have a null element');
  if (!isMap(item)) return none('associative list with keys may not have non-map elements');
  const fields: KeyField[] = [];
  for (const name of list.keys) {
    // A null value is used; an absent member has the default.
    const value = item.get(name);
    const counted = value === undefined ? defaultOf(list, name) : value;
    if (counted !== undefined) fields.push({ name, value: counted });
  }
  if (fields.length > 0) return keyElement(fields);
  const names = list.keys.map(name => `"${name}"`).join(' ');
  return none(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  );
}

function defaultOf(list: ListAtom, name: string): Value | undefined {
  return list.element.map?.field(name)?.default;
}

function setItem(item: Value): PathElement | NoElement {
  if (isMap(item)) return none("associative list without keys has an element that's a map type");
  if (isList(item)) return none('not supported: associative list with lists as elements');
  if (item === null) return none("associative list without keys has an element that's an explicit null");
  return { kind: 'value', value: item };
}

function none(message: string): NoElement {
  return { kind: 'none', message };
}
