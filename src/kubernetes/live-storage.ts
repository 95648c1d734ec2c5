import type { ValueMap } from '../go/value.js';

/** A group and kind: any version of it is the same stored object. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** Storage that keeps what calls write, as etcd does: one counter numbers every write. Objects in it are never changed in place. */
export interface LiveStorage {
  find(kind: GroupKind, namespace: string, name: string): ValueMap | undefined;
  /** All objects of a kind in key order (namespace, then name); of one namespace, or of all when it is undefined. */
  list(kind: GroupKind, namespace?: string): readonly ValueMap[];
  /** The number of the last write. */
  revision(): number;
  /** Waits a few seconds for that number: has it been reached? */
  reached(revision: number): Promise<boolean>;
  /** The same list as it was after the write of that number; undefined when that is forgotten. */
  listAt(revision: number, kind: GroupKind, namespace?: string): readonly ValueMap[] | undefined;
  /** Stores a new object and returns its resourceVersion; undefined when its name is taken. */
  create(object: ValueMap): string | undefined;
  /** Replaces the object that still has the resourceVersion `expected` and returns the new one; undefined when it has another or is gone. */
  update(object: ValueMap, expected: string): string | undefined;
  /** Removes the object under the same condition and returns the resourceVersion of the removal. */
  remove(object: ValueMap, expected: string): string | undefined;
}
