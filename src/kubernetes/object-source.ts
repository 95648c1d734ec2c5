import type { ValueMap } from '../go/value.js';
import type { GroupKind } from './live-storage.js';

/** Objects of a cluster, each read when a call first looks it up. */
export interface ObjectSource {
  /** Returns an object; undefined when the cluster has none. Throws NotYetRead for one that was not read yet. */
  find(kind: GroupKind, namespace: string, name: string): ValueMap | undefined;
  /** Returns the objects of a kind, of one namespace or of all. Throws NotYetRead when they were not read yet. */
  list(kind: GroupKind, namespace?: string): readonly ValueMap[];
  /** Reads the missing objects. Rejects when the cluster does not respond or denies access. */
  readMissing(missed: NotYetRead): Promise<void>;
  /** Returns definitions of custom kinds and resources that are not among the objects of a state. */
  definitionsOf(wanted: readonly WantedDefinition[]): Promise<readonly ValueMap[]>;
}

/** A custom kind, or a custom resource by its name in paths. */
export type WantedDefinition =
  | { readonly group: string; readonly version: string; readonly kind: string }
  | { readonly group: string; readonly resource: string };

/** Thrown by the lookup of an object that a cluster may have and that was not read yet: the computation is repeated after reading it. */
export class NotYetRead extends Error {
  override readonly name = 'NotYetRead';

  /** Names what was looked up. */
  constructor(readonly key: string) {
    super(`${key} has not been read from the cluster`);
  }
}
