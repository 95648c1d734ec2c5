import type { Authorizer } from '../../cel/library/authorizer.js';
import type { ValueMap } from '../../go/value.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { CallNotes } from '../../kubernetes/call-notes.js';
import type { Effects } from '../../kubernetes/effects.js';
import type { FieldError } from '../../kubernetes/field-error.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Storage } from '../../kubernetes/storage.js';

/** Context of a strategy. */
export interface StrategyContext {
  readonly server: ApiServer;
  readonly resource: Resource;
  readonly subresource: string;
  /** Verb of the request: `create`, `update`, `patch`. */
  readonly verb: string;
  readonly storage: Storage;
  readonly effects: Effects;
  readonly record: CallNotes;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Name in the URL; empty for a POST. */
  readonly requestName: string;
  /** Whether requests are authorized by roles, and not only where expressions ask. */
  readonly usesRbac: boolean;
  /** All resources that this API server serves. */
  readonly resources: readonly Resource[];
  /** Returns the authorizer of the user permissions. */
  readonly authorizer: () => Authorizer;
}

/**
 * Behavior of the API server for objects of one kind between the two phases of admission. Objects are in the request's version and changed
 * in place. Source: apiserver registry/rest, kubernetes pkg/registry.
 */
export interface Strategy {
  /** Whether a PUT of a missing object creates it. */
  readonly allowsCreateOnUpdate: boolean;
  /** Whether a PUT without a resourceVersion is accepted. */
  readonly allowsUnconditionalUpdate: boolean;
  /** Whether `generateName` is the name itself, without a random suffix. */
  readonly keepsGeneratedName?: boolean;
  /** Refuses an object that its writer may not write, before everything else; without a stored object it is a new one. */
  readonly authorize?: (object: ValueMap, old: ValueMap | undefined, context: StrategyContext) => void;
  /** Runs before everything else on create: allocations. */
  readonly beginCreate?: (object: ValueMap, context: StrategyContext) => void;
  readonly prepareForCreate: (object: ValueMap, context: StrategyContext) => void;
  readonly validate: (object: ValueMap, context: StrategyContext) => FieldError[];
  readonly warningsOnCreate?: (object: ValueMap, context: StrategyContext) => string[];
  readonly beginUpdate?: (object: ValueMap, old: ValueMap, context: StrategyContext) => void;
  readonly prepareForUpdate: (object: ValueMap, old: ValueMap, context: StrategyContext) => void;
  readonly validateUpdate: (object: ValueMap, old: ValueMap, context: StrategyContext) => FieldError[];
  readonly warningsOnUpdate?: (object: ValueMap, old: ValueMap, context: StrategyContext) => string[];
  /** Runs after validation, before the validating phase. */
  readonly canonicalize?: (object: ValueMap, server: ApiServer) => void;
  /** Sets the fields that a client of the resource or subresource sees differently from storage. */
  readonly decorate?: (object: ValueMap, subresource: string) => void;
  /** Restores the stored fields that `decorate` hides from a client, where the managed fields name them. */
  readonly restoreHidden?: (object: ValueMap) => void;
}

/** Changes of one kind to the common strategy. */
export type Refinement = (base: Strategy) => Strategy;
