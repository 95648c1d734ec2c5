import type { Value } from '../../../go/value.js';

/**
 * What a value of a type may be, and how it is merged: at least one of the three. Types made by hand, from the table of
 * Kubernetes types and from definitions of custom resources all take this form. Source: structured-merge-diff schema.Atom.
 */
export interface Atom {
  readonly scalar?: Scalar | undefined;
  readonly list?: ListAtom | undefined;
  readonly map?: MapAtom | undefined;
}

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListAtom {
  /** `atomic`: the list is one leaf. */
  readonly relationship: 'atomic' | 'associative';
  /** What tells the items of an associative list apart; without keys it is a set of scalars. */
  readonly keys: readonly string[];
  readonly element: Atom;
}

export interface MapAtom {
  /** `atomic`: the map is one leaf. */
  readonly relationship: 'atomic' | 'separable';
  /** The declared member of that name. */
  readonly field: (name: string) => FieldAtom | undefined;
  /** What other members are; undefined: there may be none. */
  readonly element: Atom | undefined;
  /** Nothing is known of the members: owners of such maps are left alone when types change. */
  readonly isDeduced: boolean;
}

export interface FieldAtom {
  readonly type: Atom;
  /** Stands for an absent key of a keyed list's item. */
  readonly default?: Value | undefined;
}

/** Any value; lists and maps are leaves. */
export const untyped: Atom = {
  scalar: 'untyped',
  get list(): ListAtom {
    return untypedList;
  },
  get map(): MapAtom {
    return untypedMap;
  },
};

const untypedList: ListAtom = { relationship: 'atomic', keys: [], element: untyped };
const untypedMap: MapAtom = { relationship: 'atomic', field: () => undefined, element: untyped, isDeduced: false };

/** Any value; its form is taken from it: maps member by member, lists are leaves. */
export const deduced: Atom = {
  scalar: 'untyped',
  list: untypedList,
  get map(): MapAtom {
    return deducedMap;
  },
};

/** A map of anything, member by member. */
export const deducedMap: MapAtom = { relationship: 'separable', field: () => undefined, element: deduced, isDeduced: true };

/** Returns the type of a map's member; undefined when it may not be there. */
export function memberType(map: MapAtom, name: string): Atom | undefined {
  return map.field(name)?.type ?? map.element;
}

/** Is the list told apart item by item? */
export function isAssociative(list: ListAtom): boolean {
  return list.relationship === 'associative';
}
