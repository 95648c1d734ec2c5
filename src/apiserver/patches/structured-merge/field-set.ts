import { compareElements, elementText, fieldElement, type PathElement } from './path-element.js';

/** Path in an object. */
export type FieldSetPath = readonly PathElement[];

/**
 * Set of paths. A path can be in it with or without the paths below it. Immutable: only `insert` changes one, during its construction.
 * Source: structured-merge-diff fieldpath.Set.
 */
export interface FieldSet {
  /** Paths of one step, by the element's text. */
  readonly members: Map<string, PathElement>;
  /** Paths below a step, by the element's text. */
  readonly children: Map<string, FieldSetNode>;
}

export interface FieldSetNode {
  readonly element: PathElement;
  readonly set: FieldSet;
}

/** Returns a set of the given paths. */
export function fieldSet(...paths: readonly FieldSetPath[]): FieldSet {
  const set: FieldSet = { members: new Map(), children: new Map() };
  for (const path of paths) insert(set, path);
  return set;
}

/** Returns a path of members only. */
export function pathOfElement(...names: readonly string[]): FieldSetPath {
  return names.map(fieldElement);
}

/** Inserts a path into a set under construction. The empty path is the object itself, which nobody owns. */
export function insert(set: FieldSet, path: FieldSetPath): void {
  let at = set;
  for (const [i, element] of path.entries()) {
    const text = elementText(element);
    if (i === path.length - 1) at.members.set(text, element);
    else at = below(at, text, element);
  }
}

/** Returns the paths below a step in a set under construction; the step's text is the element's. */
export function below(set: FieldSet, text: string, element: PathElement): FieldSet {
  const found = set.children.get(text);
  if (found !== undefined) return found.set;
  const made: FieldSetNode = { element, set: fieldSet() };
  set.children.set(text, made);
  return made.set;
}

/** Reports whether the set contains the path. */
export function has(set: FieldSet, path: FieldSetPath): boolean {
  let at = set;
  for (const [i, element] of path.entries()) {
    const text = elementText(element);
    if (i === path.length - 1) return at.members.has(text);
    const node = at.children.get(text);
    if (node === undefined) return false;
    at = node.set;
  }
  return false;
}

/** Reports whether the set contains no path. */
export function isEmpty(set: FieldSet): boolean {
  if (set.members.size > 0) return false;
  for (const node of set.children.values()) if (!isEmpty(node.set)) return false;
  return true;
}

/** Returns the paths below a step; an empty set when there are none. */
export function withPrefix(set: FieldSet, element: PathElement): FieldSet {
  return set.children.get(elementText(element))?.set ?? fieldSet();
}

/** Returns the union of both sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isBare(a)) return b;
  if (isBare(b)) return a;
  const children = new Map(a.children);
  for (const [text, node] of b.children) {
    const other = children.get(text);
    children.set(text, other === undefined ? node : { element: node.element, set: union(other.set, node.set) });
  }
  return { members: new Map([...a.members, ...b.members]), children };
}

/** Returns the paths in both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: new Map([...a.members].filter(([text]) => b.members.has(text))),
    children: mapNodes(a, (text, node) => {
      const other = b.children.get(text);
      return other === undefined ? undefined : nonEmpty(intersection(node.set, other.set));
    }),
  };
}

/**
 * Returns the paths of `a` that are not in `b`; a path of `b` removes only itself, not the paths below it. Returns `a` itself if it loses
 * none: what is memoized for it stays known.
 */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isBare(a) || isBare(b)) return a;
  return changedFrom(a, {
    members: membersWithout(a, b),
    children: mapNodes(a, (text, node) => {
      const other = b.children.get(text);
      return other === undefined ? node.set : nonEmpty(difference(node.set, other.set));
    }),
  });
}

/** Reports whether all paths of `a` are in `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  for (const text of a.members.keys()) if (!b.members.has(text)) return false;
  for (const [text, { set }] of a.children) {
    const other = b.children.get(text);
    if (other === undefined ? !isEmpty(set) : !isSubset(set, other.set)) return false;
  }
  return true;
}

/** Returns the paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isBare(a) || isBare(b)) return a;
  return changedFrom(a, {
    members: membersWithout(a, b),
    children: mapNodes(a, (text, node) => {
      if (b.members.has(text)) return undefined;
      const other = b.children.get(text);
      return other === undefined ? node.set : nonEmpty(recursiveDifference(node.set, other.set));
    }),
  });
}

/** Returns all paths: on each level the members in order, then the paths below each step. */
export function pathsOf(set: FieldSet, prefix: FieldSetPath = []): FieldSetPath[] {
  const own = sortedMembers(set).map(element => [...prefix, element]);
  return [...own, ...sortedNodes(set).flatMap(node => pathsOf(node.set, [...prefix, node.element]))];
}

function sortedMembers(set: FieldSet): PathElement[] {
  return [...set.members.values()].sort(compareElements);
}

function sortedNodes(set: FieldSet): FieldSetNode[] {
  return [...set.children.values()].sort((a, b) => compareElements(a.element, b.element));
}

/** Reports whether nothing was inserted into the set. */
function isBare(set: FieldSet): boolean {
  return set.members.size === 0 && set.children.size === 0;
}

function membersWithout(a: FieldSet, b: FieldSet): Map<string, PathElement> {
  for (const text of a.members.keys()) {
    if (b.members.has(text)) return new Map([...a.members].filter(([name]) => !b.members.has(name)));
  }
  return a.members;
}

/** Returns `a` if the changed set has the same parts. */
function changedFrom(a: FieldSet, changed: FieldSet): FieldSet {
  return changed.members === a.members && changed.children === a.children ? a : changed;
}

/** Returns the changed children; the children themselves if none changes. */
function mapNodes(set: FieldSet, change: (text: string, node: FieldSetNode) => FieldSet | undefined): Map<string, FieldSetNode> {
  const changed = new Map<string, FieldSetNode>();
  let isSame = true;
  for (const [text, node] of set.children) {
    const inside = change(text, node);
    isSame &&= inside === node.set;
    if (inside !== undefined) changed.set(text, inside === node.set ? node : { element: node.element, set: inside });
  }
  return isSame ? set.children : changed;
}

function nonEmpty(set: FieldSet): FieldSet | undefined {
  return isEmpty(set) ? undefined : set;
}
