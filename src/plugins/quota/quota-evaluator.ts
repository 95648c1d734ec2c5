import type { Attributes } from '../../apiserver/admission/attributes.js';
import type { ValueMap } from '../../go/value.js';
import type { QuantityLike } from '../../kubernetes/quantity.js';
import type { Scope } from './scopes.js';

/** What one resource uses of a quota. Source: apiserver quota/v1 Evaluator. */
export interface QuotaEvaluator {
  readonly handles: (attributes: Attributes) => boolean;
  /** Which of the names of a quota are about this resource? */
  readonly counts: (name: string) => boolean;
  readonly isInScope: (scope: Scope, object: ValueMap) => boolean;
  /** What the object must say for these names and does not: empty for nothing. */
  readonly missing: (names: readonly string[], object: ValueMap) => string;
  readonly usage: (object: ValueMap, now: Date) => Map<string, QuantityLike>;
}
