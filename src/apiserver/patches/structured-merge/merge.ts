import { isList, isMap, type Value, type ValueMap } from '../../../go/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { type AtomHandler, handleBoth } from './handle-atom.js';
import { itemsOfList } from './list-items.js';
import { elementText, type PathElement, printElement } from './path-element.js';
import { SchemaError } from './validate.js';

/**
 * Merges the right value into the left one: maps member by member, keyed lists item by item, leaves as a whole. Nothing is removed. Shares
 * the parts of the left that the right does not have; the left must fit the type. Throws SchemaError when items of the right share a key.
 * Source: structured-merge-diff typed/merge.go.
 */
export function mergeTyped(left: Value, right: Value, type: Atom): Value {
  return mergeAt({ left, right }, type) ?? null;
}

interface Pair {
  readonly left: Value | undefined;
  readonly right: Value | undefined;
}

/** Merges a pair of values; undefined: there is nothing to write. */
function mergeAt(pair: Pair, type: Atom): Value | undefined {
  return pair.right === undefined ? pair.left : handleBoth(type, merger, pair);
}

const merger: AtomHandler<Pair, Value | undefined> = {
  onScalar: (_, pair) => leafOf(pair),
  onList: (list, pair) => mergeLists(pair, list),
  onMap: (map, pair) => mergeMaps(pair, map),
};

function leafOf({ left, right }: Pair): Value | undefined {
  return right === undefined ? left : right;
}

function mergeMaps(pair: Pair, map: MapAtom): Value | undefined {
  const left = isMap(pair.left) ? pair.left : undefined;
  const right = isMap(pair.right) ? pair.right : undefined;
  const bothEmpty = (left?.size ?? 0) === 0 && (right?.size ?? 0) === 0;
  if (map.relationship === 'atomic' || bothEmpty) return leafOf(pair);
  const merged: ValueMap = new Map();
  for (const key of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
    const type = memberType(map, key);
    const value = type === undefined ? undefined : mergeAt({ left: left?.get(key), right: right?.get(key) }, type);
    if (value !== undefined) merged.set(key, value);
  }
  return merged.size > 0 ? merged : undefined;
}

function mergeLists(pair: Pair, list: ListAtom): Value | undefined {
  const left = isList(pair.left) ? pair.left : [];
  const right = isList(pair.right) ? pair.right : [];
  if (!isAssociative(list) || (left.length === 0 && right.length === 0)) return leafOf(pair);
  const merged = mergeItems(indexed(list, left, 'duplicates'), indexed(list, right, 'unique'), list.element);
  return merged.length > 0 ? merged : undefined;
}

interface IndexedItem {
  readonly text: string;
  readonly item: Value;
}

interface Indexed {
  readonly items: readonly IndexedItem[];
  /** Items that share a key are not merged, which is marked by null. */
  readonly byText: ReadonlyMap<string, Value>;
}

function indexed(list: ListAtom, values: readonly Value[], rule: 'duplicates' | 'unique'): Indexed {
  const items: IndexedItem[] = [];
  const byText = new Map<string, Value>();
  for (const { element, item } of itemsOfList(list, values)) {
    const text = elementText(element);
    if (byText.has(text) && rule === 'unique') throw duplicate(element);
    byText.set(text, byText.has(text) ? null : item);
    items.push({ text, item });
  }
  return { items, byText };
}

function duplicate(element: PathElement): SchemaError {
  return new SchemaError([{ path: '', message: `duplicate entries for key ${printElement(element)}` }]);
}

/**
 * Merges the items of both in the right one's order; items only in the left precede the next shared item they preceded. Source:
 * structured-merge-diff mergingWalker.visitListItems.
 */
function mergeItems(left: Indexed, right: Indexed, type: Atom): Value[] {
  const out: Value[] = [];
  const take = (pair: Pair): void => {
    const value = mergeAt(pair, type);
    if (value !== undefined) out.push(value);
  };
  const shared = right.items.map(({ text }) => text).filter(text => left.byText.has(text));
  let nextShared = shared.shift();
  const merged = new Set<string>();
  const takeRight = (text: string): void => {
    merged.add(text);
    take({ left: left.byText.get(text), right: right.byText.get(text) });
  };
  let l = 0;
  let r = 0;
  for (;;) {
    const [leftItem, rightItem] = [left.items[l], right.items[r]];
    if (leftItem === undefined && rightItem === undefined) return out;
    if (leftItem !== undefined && rightItem !== undefined) {
      if (leftItem.text === rightItem.text) {
        takeRight(leftItem.text);
        l += 1;
        r += 1;
        nextShared = shared.shift();
        continue;
      }
      if (right.byText.has(leftItem.text) && nextShared !== undefined && nextShared !== leftItem.text) {
        l += 1;
        continue;
      }
    }
    if (leftItem !== undefined) {
      if (!right.byText.has(leftItem.text)) {
        take({ left: leftItem.item, right: undefined });
        l += 1;
        continue;
      }
      if (merged.has(leftItem.text)) l += 1;
    }
    if (rightItem !== undefined) {
      takeRight(rightItem.text);
      r += 1;
      if (nextShared === rightItem.text) nextShared = shared.shift();
    }
  }
}
