import type { FieldPath } from './field-path.js';

/** Validation of one kind's objects, beyond the common checks. */
export interface KindRules {
  /** Checks of a new object after those of its metadata. */
  readonly create: (object: FieldPath) => void;
  /** Checks of an existing object where updates are validated like new objects too, if they are fewer. */
  readonly existing?: (object: FieldPath) => void;
  /** Whether metadata is only validated when the rest is valid. */
  readonly metadataLast?: true;
  /** Update checks of the kind, after the common ones. */
  readonly update: readonly UpdateStep[];
  /** Warnings about an object, or about its change. */
  readonly warnings?: (object: FieldPath, old: FieldPath | undefined) => string[];
}

/** Step of an update: validation of the metadata, of its changes, or a check of the kind. */
export type UpdateStep = 'metadata' | 'changes' | ((object: FieldPath, old: FieldPath) => void);
