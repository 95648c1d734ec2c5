import type { ValueMap } from '../go/value.js';

/** Group and kind: all versions share the stored objects. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * Returns the text of an object that is written, at its resourceVersion: what `writeValue` would write of it as untyped JSON; undefined for
 * an object that this text would not give back.
 */
export type TextAt = (resourceVersion: string) => string | undefined;

/** Storage for the writes of calls, like etcd: every write gets a number from one counter. Stored objects are never changed in place. */
export interface LiveStorage {
  find(kind: GroupKind, namespace: string, name: string): ValueMap | undefined;
  /** All objects of a kind in key order (namespace, then name); of one namespace, or of all when it is undefined. */
  list(kind: GroupKind, namespace?: string): readonly ValueMap[];
  /** The objects of that list that have a label with one of the values, without reading the others. */
  listLabelled(kind: GroupKind, namespace: string | undefined, label: string, values: readonly string[]): readonly ValueMap[];
  /** Revision of the last write. */
  revision(): number;
  /** Waits up to a few seconds for a revision; returns whether it was reached. */
  waitForRevision(revision: number): Promise<boolean>;
  /** The same list at a revision; undefined if the revision was compacted. */
  listAt(revision: number, kind: GroupKind, namespace?: string): readonly ValueMap[] | undefined;
  /** Resolves after the time that etcd needs for a commit: watches send a write before the next one of the same call. */
  committed?(): Promise<void>;
  /** Stores a new object and returns its resourceVersion; undefined if the name exists. With `textAt`, the text is stored, and `object` is not kept. */
  create(object: ValueMap, textAt?: TextAt): string | undefined;
  /**
   * Replaces an object if its resourceVersion is `expected`, and returns the new one; undefined if it has changed or was removed. `served` is
   * the kind of its resource, where the object may have another one: it was stored before its definition was made again.
   */
  update(object: ValueMap, expected: string, served?: GroupKind, textAt?: TextAt): string | undefined;
  /** Removes the object under the same condition and returns the resourceVersion of the removal. */
  remove(object: ValueMap, expected: string, served?: GroupKind): string | undefined;
}
