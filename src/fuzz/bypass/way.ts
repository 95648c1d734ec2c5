import type { ValueMap } from '../../go/value.js';
import type { RequestedUser } from '../../kubernetes/api-call.js';
import type { FuzzedResource, FuzzInput } from '../inputs/input.js';
import type { AllowedObject } from './allowed-object.js';

/** A sequence of calls that may store what CREATE refuses. */
export interface Way {
  /** Continues `is stored by`. */
  readonly title: string;
  readonly steps: readonly FuzzInput[];
  /**
   * Where to look: the object itself, the forbidden object in it, the containers of another list, the security context of its pod, or the pods of
   * a workload.
   */
  readonly looksAt: 'object' | 'superset' | 'containers' | 'pod' | 'pods';
}

/** What the ways start from. */
export interface WaysContext {
  readonly forbidden: ValueMap;
  readonly target: FuzzedResource;
  /** Undefined: only creations can be tried. */
  readonly allowed: AllowedObject | undefined;
  readonly targets: readonly FuzzedResource[];
  readonly configurations: readonly ValueMap[];
  /** Texts of conditions and selectors. */
  readonly literals: readonly string[];
  /** Texts of sources: more of them, so that only likely ones are tried. */
  readonly words: readonly string[];
  /** User of all calls; undefined: the administrator, who may impersonate others. */
  readonly user: RequestedUser | undefined;
  /** Stored namespace of the forbidden object. */
  readonly namespace: ValueMap | undefined;
}
