import { isList, isMap, type Value } from '../../../kubernetes/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { equalValues } from './compare-values.js';
import { type FieldPath, type FieldSet, fieldSet, insert } from './field-set.js';
import { handleBoth } from './handle-atom.js';
import { itemsOf } from './list-items.js';
import { elementText, fieldElement, type PathElement } from './path-element.js';

/** What became of an object. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** How two values of one type differ, path by path. Absent and null are not the same. Source: structured-merge-diff typed/compare.go. */
export function compare(left: Value, right: Value, type: Atom): Comparison {
  const comparison: Comparison = { removed: fieldSet(), modified: fieldSet(), added: fieldSet() };
  compareAt({ left, right }, type, { path: [], comparison });
  return comparison;
}

interface Pair {
  readonly left: Value | undefined;
  readonly right: Value | undefined;
}

interface Place {
  readonly path: FieldPath;
  readonly comparison: Comparison;
}

function compareAt(pair: Pair, type: Atom, place: Place): void {
  const isLeaf = handleBoth(type, pair, {
    onScalar: () => compareLeaf(pair, place),
    onList: list => compareLists(pair, list, place),
    onMap: map => compareMaps(pair, map, place),
  });
  if (isLeaf) return;
  if (pair.left === undefined) insert(place.comparison.added, place.path);
  else if (pair.right === undefined) insert(place.comparison.removed, place.path);
}

function compareLeaf({ left, right }: Pair, { path, comparison }: Place): true {
  if (left === undefined) insert(comparison.added, path);
  else if (right === undefined) insert(comparison.removed, path);
  else if (!equalValues(left, right)) insert(comparison.modified, path);
  return true;
}

/** Answers whether the maps are one leaf: they are when both are empty. */
function compareMaps(pair: Pair, map: MapAtom, place: Place): boolean {
  const left = isMap(pair.left) ? pair.left : undefined;
  const right = isMap(pair.right) ? pair.right : undefined;
  const bothEmpty = (left?.size ?? 0) === 0 && (right?.size ?? 0) === 0;
  if (map.relationship === 'atomic' || bothEmpty) return compareLeaf(pair, place);
  for (const key of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
    const type = memberType(map, key);
    if (type !== undefined) compareAt({ left: left?.get(key), right: right?.get(key) }, type, below(place, fieldElement(key)));
  }
  return false;
}

function compareLists(pair: Pair, list: ListAtom, place: Place): boolean {
  const left = isList(pair.left) ? pair.left : [];
  const right = isList(pair.right) ? pair.right : [];
  if (!isAssociative(list) || (left.length === 0 && right.length === 0)) return compareLeaf(pair, place);
  const leftItems = grouped(list, left);
  const rightItems = grouped(list, right);
  for (const [text, { element }] of new Map([...leftItems, ...rightItems])) {
    const lefts = leftItems.get(text)?.items ?? [];
    const rights = rightItems.get(text)?.items ?? [];
    compareItems({ lefts, rights }, list.element, below(place, element));
  }
  return false;
}

/** Items that share a key are no items any more: their path alone says whether they are there. */
function compareItems({ lefts, rights }: { lefts: readonly Value[]; rights: readonly Value[] }, type: Atom, place: Place): void {
  const { path, comparison } = place;
  if (lefts.length <= 1 && rights.length <= 1) {
    compareAt({ left: lefts[0], right: rights[0] }, type, place);
  } else if (lefts.length >= 2 && rights.length >= 2) {
    const equal = lefts.length === rights.length && lefts.every((item, i) => equalValues(item, rights[i] ?? null));
    if (!equal) insert(comparison.modified, path);
  } else if (lefts.length >= 2) {
    if (rights.length > 0) compareAt({ left: undefined, right: rights[0] }, type, place);
    insert(comparison.removed, path);
  } else {
    if (lefts.length > 0) compareAt({ left: lefts[0], right: undefined }, type, place);
    insert(comparison.added, path);
  }
}

function grouped(list: ListAtom, items: readonly Value[]): Map<string, { readonly element: PathElement; readonly items: Value[] }> {
  const groups = new Map<string, { readonly element: PathElement; readonly items: Value[] }>();
  for (const { element, item } of itemsOf(list, items)) {
    const text = elementText(element);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { element, items: [item] });
    else group.items.push(item);
  }
  return groups;
}

function below({ path, comparison }: Place, element: PathElement): Place {
  return { path: [...path, element], comparison };
}
