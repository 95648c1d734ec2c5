import { isList, isMap, type Value } from '../../../go/value.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { equalValues } from './compare-values.js';
import { below, type FieldSet, fieldSet } from './field-set.js';
import { type AtomHandler, handleBoth, handleValue } from './handle-atom.js';
import { itemsOfList } from './list-items.js';
import { elementText, fieldElement, type PathElement } from './path-element.js';

/** Result of comparing two objects. */
export interface FieldComparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Compares two values of one type, path by path. Absent and null differ. Source: structured-merge-diff typed/compare.go. */
export function compareTyped(left: Value, right: Value, type: Atom): FieldComparison {
  const comparison: FieldComparison = { removed: fieldSet(), modified: fieldSet(), added: fieldSet() };
  compareAt({ left, right, place: { around: undefined, element: fieldElement(''), text: '', ...comparison } }, type);
  return comparison;
}

/** Two values at the same path. */
interface Pair {
  readonly left: Value | undefined;
  readonly right: Value | undefined;
  readonly place: PathStep;
}

/** Step on the way to a value, with the sets of the paths below it, which are created on demand. */
interface PathStep {
  /** undefined: the object itself, which nobody owns. */
  readonly around: PathStep | undefined;
  readonly element: PathElement;
  readonly text: string;
  removed: FieldSet | undefined;
  modified: FieldSet | undefined;
  added: FieldSet | undefined;
}

/** Handlers that return whether the value is one leaf. */
const isLeaf: AtomHandler<Pair, boolean> = {
  onScalar: (_, pair) => compareLeaf(pair),
  onList: (list, pair) => compareLists(pair, list),
  onMap: (map, pair) => compareMaps(pair, map),
};

function compareAt(pair: Pair, type: Atom): void {
  // A merge shares the parts that only one side has.
  if (pair.left === pair.right) return;
  if (pair.left === undefined && pair.right !== undefined && pair.place.around !== undefined) {
    const { around, text, element } = pair.place;
    addWhole({ value: pair.right, text, element, into: setBelow(around, 'added') }, type);
    return;
  }
  if (!handleBoth(type, isLeaf, pair) && pair.right === undefined) note('removed', pair.place);
}

/** A new value, and the set of the paths around it. */
interface New {
  readonly value: Value;
  readonly text: string;
  readonly element: PathElement;
  readonly into: FieldSet;
}

/** Adds a new value, and what is below it unless it is a leaf, as the whole is new: most values of a create are. */
function addWhole(added: New, type: Atom): void {
  added.into.members.set(added.text, added.element);
  handleValue(type, added.value, addBelow, added);
}

const addBelow: AtomHandler<New, void> = {
  onScalar: () => {},
  onList: (list, added) => {
    const { value } = added;
    if (!isList(value) || !isAssociative(list) || value.length === 0) return;
    const set = below(added.into, added.text, added.element);
    for (const [text, { element, items }] of grouped(list, value)) {
      // Of items that share a key only their path counts.
      if (items.length === 1) addWhole({ value: items[0] as Value, text, element, into: set }, list.element);
      else set.members.set(text, element);
    }
  },
  onMap: (map, added) => {
    const { value } = added;
    if (!isMap(value) || map.relationship === 'atomic' || value.size === 0) return;
    const set = below(added.into, added.text, added.element);
    value.forEach((member, key) => {
      const type = memberType(map, key);
      if (type === undefined) return;
      const element = fieldElement(key);
      addWhole({ value: member, text: element.text, element, into: set }, type);
    });
  },
};

function compareLeaf({ left, right, place }: Pair): true {
  if (right === undefined) note('removed', place);
  else if (left !== undefined && !equalValues(left, right)) note('modified', place);
  return true;
}

function note(what: keyof FieldComparison, { around, text, element }: PathStep): void {
  if (around !== undefined) setBelow(around, what).members.set(text, element);
}

function setBelow(place: PathStep, what: keyof FieldComparison): FieldSet {
  const known = place[what];
  if (known !== undefined) return known;
  // Only the root has no parent, and its sets exist from the start.
  const made = place.around === undefined ? fieldSet() : below(setBelow(place.around, what), place.text, place.element);
  place[what] = made;
  return made;
}

/** Compares maps; returns whether they are one leaf, which is so when both are empty. */
function compareMaps(pair: Pair, map: MapAtom): boolean {
  const left = isMap(pair.left) ? pair.left : undefined;
  const right = isMap(pair.right) ? pair.right : undefined;
  const bothEmpty = (left?.size ?? 0) === 0 && (right?.size ?? 0) === 0;
  if (map.relationship === 'atomic' || bothEmpty) return compareLeaf(pair);
  const compareMember = (key: string): void => {
    const type = memberType(map, key);
    if (type === undefined) return;
    const element = fieldElement(key);
    compareAt({ left: left?.get(key), right: right?.get(key), place: inside(pair.place, element, element.text) }, type);
  };
  left?.forEach((_, key) => {
    compareMember(key);
  });
  right?.forEach((_, key) => {
    if (left?.has(key) !== true) compareMember(key);
  });
  return false;
}

function compareLists(pair: Pair, list: ListAtom): boolean {
  const left = isList(pair.left) ? pair.left : [];
  const right = isList(pair.right) ? pair.right : [];
  if (!isAssociative(list) || (left.length === 0 && right.length === 0)) return compareLeaf(pair);
  const leftItems = grouped(list, left);
  const rightItems = grouped(list, right);
  for (const [text, { element }] of new Map([...leftItems, ...rightItems])) {
    const lefts = leftItems.get(text)?.items ?? [];
    const rights = rightItems.get(text)?.items ?? [];
    compareItems({ lefts, rights }, list.element, inside(pair.place, element, text));
  }
  return false;
}

/** Compares items that share a key, for which only their path counts, not their content. */
function compareItems({ lefts, rights }: { lefts: readonly Value[]; rights: readonly Value[] }, type: Atom, place: PathStep): void {
  if (lefts.length <= 1 && rights.length <= 1) {
    compareAt({ left: lefts[0], right: rights[0], place }, type);
  } else if (lefts.length >= 2 && rights.length >= 2) {
    const equal = lefts.length === rights.length && lefts.every((item, i) => equalValues(item, rights[i] ?? null));
    if (!equal) note('modified', place);
  } else if (lefts.length >= 2) {
    if (rights.length > 0) compareAt({ left: undefined, right: rights[0], place }, type);
    note('removed', place);
  } else {
    if (lefts.length > 0) compareAt({ left: lefts[0], right: undefined, place }, type);
    note('added', place);
  }
}

function grouped(list: ListAtom, items: readonly Value[]): Map<string, { readonly element: PathElement; readonly items: Value[] }> {
  const groups = new Map<string, { readonly element: PathElement; readonly items: Value[] }>();
  for (const { element, item } of itemsOfList(list, items)) {
    const text = elementText(element);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { element, items: [item] });
    else group.items.push(item);
  }
  return groups;
}

function inside(around: PathStep, element: PathElement, text: string): PathStep {
  return { around, element, text, removed: undefined, modified: undefined, added: undefined };
}
