import type { ValueMap } from '../../go/value.js';
import type { ApiObject } from '../objects/api-object.js';

/** Watch cache of a custom resource in one version, as far as it has followed the changes of the storage. Source: apiserver storage/cacher. */
export interface WatchCache {
  /** Returns a stored object as the cache decoded it, read-only; undefined if it has not. */
  objectOf(stored: ValueMap): ApiObject | undefined;
  /** Resolves with a stored object when the cache has decoded it; never, if the cache ends before. */
  decoded(stored: ValueMap): Promise<ApiObject>;
  /** Revision of the last change that it has followed. */
  revision(): number;
  /** Reports whether it has followed all changes. */
  isCurrent(): boolean;
  /** Calls `end` when the cache ends its watches; returns a function that unsubscribes. */
  onEnd(end: () => void): () => void;
}
