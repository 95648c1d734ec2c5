import { isList, isMap, isRawJson, type Value } from '../../../kubernetes/value.js';
import type { Atom, ListAtom, MapAtom, Scalar } from './atom.js';

/** What a walk does with each form a value can have. */
export interface AtomHandler<T> {
  readonly onScalar: (scalar: Scalar) => T;
  readonly onList: (list: ListAtom) => T;
  readonly onMap: (map: MapAtom) => T;
}

/** Goes on with the first form the type allows: map, scalar, list. Source: structured-merge-diff handleAtom. */
export function handleAtom<T>(atom: Atom, handler: AtomHandler<T>): T {
  if (atom.map !== undefined) return handler.onMap(atom.map);
  if (atom.scalar !== undefined) return handler.onScalar(atom.scalar);
  if (atom.list !== undefined) return handler.onList(atom.list);
  throw new Error('a type that allows nothing');
}

/** The type narrowed to the form the value has; `null` and nothing leave it as it is. Source: structured-merge-diff deduceAtom. */
export function narrowAtom(atom: Atom, value: Value | undefined): Atom {
  if (value === undefined || value === null || isRawJson(value)) return atom;
  if (isList(value)) return atom.list === undefined ? atom : { list: atom.list };
  if (isMap(value)) return atom.map === undefined ? atom : { map: atom.map };
  return atom.scalar === undefined ? atom : { scalar: atom.scalar };
}

/** Do two narrowings of one type allow the same forms? */
export function sameForms(a: Atom, b: Atom): boolean {
  return (
    (a.scalar === undefined) === (b.scalar === undefined) &&
    (a.list === undefined) === (b.list === undefined) &&
    (a.map === undefined) === (b.map === undefined)
  );
}

/**
 * Handles two values of one type. Where they have different forms both are handled; what counts is what comes of the form of
 * the right one. Source: structured-merge-diff compareWalker.compare, mergingWalker.merge.
 */
export function handleBoth<T>(atom: Atom, values: { left: Value | undefined; right: Value | undefined }, handler: AtomHandler<T>): T {
  const left = narrowAtom(atom, values.left);
  const right = narrowAtom(atom, values.right);
  if (values.right === undefined) return handleAtom(left, handler);
  if (values.left !== undefined && !sameForms(left, right)) handleAtom(left, handler);
  return handleAtom(right, handler);
}
