import type { Value, ValueMap } from '../../go/value.js';

/** How the objects of a kind are deleted. Absent members mean the default behavior. Source: the strategies and storages in kubernetes pkg/registry. */
export interface DeletionRules {
  /** Grace period in seconds of an object, with the requested one; absent: deleted at once. Source: RESTGracefulDeleteStrategy. */
  readonly gracePeriod?: (object: ValueMap, asked: Value | undefined) => bigint;
  /** Whether the answer to a removal is the object itself. Source: ReturnDeletedObject. */
  readonly returnsObject?: true;
  /** Members of an object of the internal zero value in the kind's version: what a dry run of a removal reads. */
  readonly zeroMembers?: object;
  /** Default propagation policy for dependents; `none` if there are no dependents. Source: DefaultGarbageCollectionPolicy. */
  readonly dependents?: 'orphaned' | 'none';
  /** Throws for an object that must not be deleted, before it is read. */
  readonly checkName?: (name: string) => void;
  /** Warnings for the options of a deletion in a version. */
  readonly warnings?: (options: ValueMap, version: string) => string[];
  readonly firstMark?: FirstMark;
}

/** The first deletion of an object only marks it; a controller removes it later. */
export interface FirstMark {
  /** Changes the marked object. `now` is a timestamp. */
  readonly mark: (object: ValueMap, options: ValueMap, now: string) => void;
  /** Whether later deletions return a marked object as it is. */
  readonly keeps?: (object: ValueMap) => boolean;
}
