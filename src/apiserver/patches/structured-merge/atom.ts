import type { Value } from '../../../go/value.js';

/**
 * Type of a value and its merge rules: at least one of the three forms. Hand-written types, Kubernetes types and definitions of custom
 * resources are all converted to this form. Source: structured-merge-diff schema.Atom.
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
  /** Keys that identify the items of an associative list; a list without keys is a set of scalars. */
  readonly keys: readonly string[];
  readonly element: Atom;
}

export interface MapAtom {
  /** `atomic`: the map is one leaf. */
  readonly relationship: 'atomic' | 'separable';
  /** Returns the declared member of that name. */
  readonly field: (name: string) => FieldAtom | undefined;
  /** Type of additional members; undefined when none are allowed. */
  readonly element: Atom | undefined;
  /** The members' types are unknown: owners of such maps do not change when types change. */
  readonly isDeduced: boolean;
}

export interface FieldAtom {
  readonly type: Atom;
  /** Default for an absent key of a keyed list's item. */
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

/** Any value, merged by its form: maps member by member, lists as leaves. */
export const deduced: Atom = {
  scalar: 'untyped',
  list: untypedList,
  get map(): MapAtom {
    return deducedMap;
  },
};

/** Map of any values, merged member by member. */
const deducedMap: MapAtom = { relationship: 'separable', field: () => undefined, element: deduced, isDeduced: true };

/** Returns the type of a map's member; undefined when it is not allowed. */
export function memberType(map: MapAtom, name: string): Atom | undefined {
  return map.field(name)?.type ?? map.element;
}

/** Reports whether the list is merged item by item. */
export function isAssociative(list: ListAtom): boolean {
  return list.relationship === 'associative';
}
