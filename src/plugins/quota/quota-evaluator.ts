import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { QuantityLike } from '../../kubernetes/quantity.js';
import type { QuotaScope } from './scopes.js';

/** Quota usage of one resource. Source: apiserver quota/v1 Evaluator. */
export interface QuotaEvaluator {
  readonly handles: (attributes: Attributes) => boolean;
  /** Reports whether a quota's name is about this resource. */
  readonly counts: (name: string) => boolean;
  readonly isInScope: (scope: QuotaScope, object: ValueMap, server: ApiServer) => boolean;
  /** Returns the names whose values the object must set and does not; empty for none. */
  readonly missing: (names: readonly string[], object: ValueMap) => string;
  readonly usage: (object: ValueMap, now: Date) => Map<string, QuantityLike>;
}
