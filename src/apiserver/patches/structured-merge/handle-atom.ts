import { isList, isMap, isRawJson, type Value } from '../../../go/value.js';
import type { Atom, ListAtom, MapAtom, Scalar } from './atom.js';

/** What a walk does with each form a value can have; `at` is the walk's own. */
export interface AtomHandler<At, T> {
  readonly onScalar: (scalar: Scalar, at: At) => T;
  readonly onList: (list: ListAtom, at: At) => T;
  readonly onMap: (map: MapAtom, at: At) => T;
}

/** Goes on with the first form the type allows: map, scalar, list. Source: structured-merge-diff handleAtom. */
export function handleAtom<At, T>(atom: Atom, handler: AtomHandler<At, T>, at: At): T {
  if (atom.map !== undefined) return handler.onMap(atom.map, at);
  if (atom.scalar !== undefined) return handler.onScalar(atom.scalar, at);
  if (atom.list !== undefined) return handler.onList(atom.list, at);
  throw new Error('a type that allows nothing');
}

/** Goes on with the form the value has, where the type allows that; `null` and nothing have none. Source: structured-merge-diff deduceAtom. */
export function handleValue<At, T>(atom: Atom, value: Value | undefined, handler: AtomHandler<At, T>, at: At): T {
  if (isMap(value)) {
    if (atom.map !== undefined) return handler.onMap(atom.map, at);
  } else if (isList(value)) {
    if (atom.list !== undefined) return handler.onList(atom.list, at);
  } else if (atom.scalar !== undefined && value !== undefined && value !== null && !isRawJson(value))
    return handler.onScalar(atom.scalar, at);
  return handleAtom(atom, handler, at);
}

/** Which form is a value of the type handled as? */
const formOf: AtomHandler<undefined, 'scalar' | 'list' | 'map'> = { onScalar: () => 'scalar', onList: () => 'list', onMap: () => 'map' };

/**
 * Handles two values of one type. Where they have different forms both are handled; what counts is what comes of the form of
 * the right one. Source: structured-merge-diff compareWalker.compare, mergingWalker.merge.
 */
export function handleBoth<At extends { readonly left: Value | undefined; readonly right: Value | undefined }, T>(
  atom: Atom,
  handler: AtomHandler<At, T>,
  at: At,
): T {
  const { left, right } = at;
  if (right === undefined) return handleValue(atom, left, handler, at);
  const isOther = left !== undefined && handleValue(atom, left, formOf, undefined) !== handleValue(atom, right, formOf, undefined);
  if (isOther) handleValue(atom, left, handler, at);
  return handleValue(atom, right, handler, at);
}
