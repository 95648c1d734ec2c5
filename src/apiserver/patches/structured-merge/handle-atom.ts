import { isList, isMap, isRawJson, type Value } from '../../../go/value.js';
import type { Atom, ListAtom, MapAtom, Scalar } from './atom.js';

/** Handlers of a walk for each form of a value; `at` is the walk's own position. */
export interface AtomHandler<At, T> {
  readonly onScalar: (scalar: Scalar, at: At) => T;
  readonly onList: (list: ListAtom, at: At) => T;
  readonly onMap: (map: MapAtom, at: At) => T;
}

/** Calls the handler of the first form that the type allows: map, scalar, list. Source: structured-merge-diff handleAtom. */
export function handleAtom<At, T>(atom: Atom, handler: AtomHandler<At, T>, at: At): T {
  if (atom.map !== undefined) return handler.onMap(atom.map, at);
  if (atom.scalar !== undefined) return handler.onScalar(atom.scalar, at);
  if (atom.list !== undefined) return handler.onList(atom.list, at);
  throw new Error('a type that allows nothing');
}

/**
 * Calls the handler of the value's form, where the type allows it; `null` and absent values have none. Source: structured-merge-diff
 * deduceAtom.
 */
export function handleValue<At, T>(atom: Atom, value: Value | undefined, handler: AtomHandler<At, T>, at: At): T {
  if (isMap(value)) {
    if (atom.map !== undefined) return handler.onMap(atom.map, at);
  } else if (isList(value)) {
    if (atom.list !== undefined) return handler.onList(atom.list, at);
  } else if (atom.scalar !== undefined && value !== undefined && value !== null && !isRawJson(value))
    return handler.onScalar(atom.scalar, at);
  return handleAtom(atom, handler, at);
}

/** Returns the form that a value of the type is handled as. */
const formOf: AtomHandler<undefined, 'scalar' | 'list' | 'map'> = { onScalar: () => 'scalar', onList: () => 'list', onMap: () => 'map' };

/**
 * Handles two values of one type. Where their forms differ both are handled, and the result of the right one's form is used. Source:
 * structured-merge-diff compareWalker.compare, mergingWalker.merge.
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
