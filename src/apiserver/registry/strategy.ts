import type { Authorizer } from '../../cel/library/authorizer.js';
import type { ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { CallNotes } from '../../kubernetes/call-notes.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { FieldError } from '../../kubernetes/field-error.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Storage } from '../../kubernetes/storage.js';

/** What a strategy may look at. */
export interface StrategyContext {
  readonly resource: Resource;
  readonly subresource: string;
  readonly storage: Storage;
  readonly effects: Effects;
  readonly record: CallNotes;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Every resource this API server serves. */
  readonly resources: readonly Resource[];
  /** Answers what a user may do. */
  readonly authorizer: () => Authorizer;
}

/**
 * What the API server does with objects of one kind between the two phases of admission. Objects are in the request's
 * version and changed in place. Source: apiserver registry/rest, kubernetes pkg/registry.
 */
export interface Strategy {
  /** PUT of an object that does not exist creates it. */
  readonly allowsCreateOnUpdate: boolean;
  /** PUT without a resourceVersion is taken. */
  readonly allowsUnconditionalUpdate: boolean;
  /** `generateName` is the name, with nothing random added. */
  readonly keepsGeneratedName?: boolean;
  /** Before anything else on create: allocations. */
  readonly beginCreate?: (object: ValueMap, context: StrategyContext) => void;
  readonly prepareForCreate: (object: ValueMap, context: StrategyContext) => void;
  readonly validate: (object: ValueMap, context: StrategyContext) => FieldError[];
  readonly warningsOnCreate?: (object: ValueMap, context: StrategyContext) => string[];
  readonly beginUpdate?: (object: ValueMap, old: ValueMap, context: StrategyContext) => void;
  readonly prepareForUpdate: (object: ValueMap, old: ValueMap, context: StrategyContext) => void;
  readonly validateUpdate: (object: ValueMap, old: ValueMap, context: StrategyContext) => FieldError[];
  readonly warningsOnUpdate?: (object: ValueMap, old: ValueMap, context: StrategyContext) => string[];
  /** After validation, before the validating phase. */
  readonly canonicalize?: (object: ValueMap) => void;
  /** What a client is shown otherwise than it is stored. */
  readonly decorate?: (object: ValueMap) => void;
}

/** What one kind does otherwise than the common strategy. */
export type Refinement = (base: Strategy) => Strategy;
