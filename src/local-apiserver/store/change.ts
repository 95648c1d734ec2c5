import type { ValueMap } from '../../go/value.js';

/** One write: the object after and before it; undefined if there is none. */
export interface StoreChange {
  readonly revision: number;
  /** Name of the collection: `group/plural` of a custom resource, `group/Kind` of a built-in kind. */
  readonly collection: string;
  /** `namespace/name` */
  readonly key: string;
  readonly object: ValueMap | undefined;
  readonly previous: ValueMap | undefined;
}
