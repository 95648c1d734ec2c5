import { valuesInside } from '../../../kubernetes/memoize.js';
import { type Atom, isAssociative, type ListAtom, type MapAtom, memberType } from './atom.js';
import { type FieldSet, type FieldSetPath, fieldSet, insert, isEmpty, recursiveDifference, union } from './field-set.js';
import { type AtomHandler, handleAtom } from './handle-atom.js';
import { elementText, type PathElement } from './path-element.js';

/**
 * Adapts a set to a type whose lists or maps have since become leaves: owners of a part own the whole leaf. Source: structured-merge-diff
 * typed/reconcile_schema.go.
 */
export function reconcileWithType(set: FieldSet, type: Atom): FieldSet {
  const known = reconciled.get(set);
  if (known?.type === type) return known.set;
  const made = reconcile(set, type);
  reconciled.set(set, { type, set: made });
  return made;
}

/** The result for the last type: sets that were read from the same text are the same set, mostly of the same version. */
const reconciled = valuesInside<FieldSet, { readonly type: Atom; readonly set: FieldSet }>();

function reconcile(set: FieldSet, type: Atom): FieldSet {
  const leaves = fieldSet();
  visit({ set, path: [], isLeaf: false, leaves }, type);
  return isEmpty(leaves) ? set : union(recursiveDifference(set, leaves), leaves);
}

interface OwnedPath {
  /** Paths of the manager below; undefined when there are none. */
  readonly set: FieldSet | undefined;
  readonly path: FieldSetPath;
  /** Whether the manager owns the path itself and nothing below it. */
  readonly isLeaf: boolean;
  /** New leaves found so far. */
  readonly leaves: FieldSet;
}

const visitor: AtomHandler<OwnedPath, void> = {
  onScalar: () => undefined,
  onList: (list, place) => {
    visitList(place, list);
  },
  onMap: (map, place) => {
    visitMap(place, map);
  },
};

function visit(place: OwnedPath, type: Atom): void {
  handleAtom(type, visitor, place);
}

function visitList(place: OwnedPath, list: ListAtom): void {
  if (!place.isLeaf && !isAssociative(list)) {
    insert(place.leaves, place.path);
    return;
  }
  for (const element of elementsOf(place)) visit(below(place, element), list.element);
}

function visitMap(place: OwnedPath, map: MapAtom): void {
  if (map.isDeduced) return;
  if (!place.isLeaf && map.relationship === 'atomic') {
    if (place.set !== undefined && !isEmpty(place.set)) insert(place.leaves, place.path);
    return;
  }
  for (const element of elementsOf(place)) {
    const type = element.kind === 'field' ? memberType(map, element.name) : map.element;
    if (type !== undefined) visit(below(place, element), type);
  }
}

function elementsOf({ set }: OwnedPath): Iterable<PathElement> {
  if (set === undefined) return [];
  const elements = new Map(set.members);
  for (const [text, { element }] of set.children) elements.set(text, element);
  return elements.values();
}

function below({ set, path, leaves }: OwnedPath, element: PathElement): OwnedPath {
  const text = elementText(element);
  const inside = set?.children.get(text)?.set;
  return { set: inside, path: [...path, element], isLeaf: set?.members.has(text) === true && inside === undefined, leaves };
}
