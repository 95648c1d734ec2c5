import type { Place } from './place.js';

/** What the API server asks of the objects of one kind, beyond what it asks of all. */
export interface KindRules {
  /** The checks of a new object after those of its metadata. */
  readonly create: (object: Place) => void;
  /** The metadata is looked at only where the rest is fine. */
  readonly metadataLast?: true;
  /** The kind's own list for an update, after the one that every kind has. */
  readonly update: readonly UpdateStep[];
  /** Warnings about an object, or about its change. */
  readonly warnings?: (object: Place, old: Place | undefined) => string[];
}

/** The metadata as such, what an update may not do to it, or a check of the kind. */
export type UpdateStep = 'metadata' | 'changes' | ((object: Place, old: Place) => void);
