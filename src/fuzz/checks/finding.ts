import type { Effects } from '../../kubernetes/effects.js';
import type { MadeCall } from '../pipeline/pipeline.js';

/** Names of the checks, in the order of documents. */
export const fuzzCheckNames = [
  'crash',
  'invalid-response',
  'invalid-object',
  'lost-field',
  'not-idempotent',
  'unsteady',
  'dry-run',
  'refuses-unchanged',
  'slow',
  'conversion',
  'bypass',
] as const;

export type FuzzCheckName = (typeof fuzzCheckNames)[number];

/** A bug that a call showed. The message continues after the webhook's name. */
export interface ShownFinding {
  readonly check: FuzzCheckName;
  readonly webhook: string;
  readonly message: string;
}

/** What checks of calls may use. */
export interface CheckContext {
  /** The call or its answers are unlike all before, or it was chosen, so that checks with further reviews are worthwhile. */
  readonly isNew: boolean;
  /** The call is made again, smaller, to reduce a finding. */
  readonly isReduction: boolean;
  /** A webhook answered the call late before. */
  readonly wasLate: boolean;
  /** Side effects for conversions outside a call. */
  readonly effects: () => Effects;
  /** Makes the same call in a cluster without webhooks; undefined if no client could make it. */
  readonly bare: () => Promise<MadeCall | undefined>;
  /** Updates the object that the call stored without a change; undefined if it stored none. */
  readonly repeated: () => Promise<MadeCall | undefined>;
}

/** Returns the bugs that a call shows. */
export type CallCheck = (made: MadeCall, context: CheckContext) => Promise<readonly ShownFinding[]> | readonly ShownFinding[];
