import type { CelValue, Found } from '../values/value.js';
import type { Attribute } from './attribute.js';
import type { CostTracker } from './cost-tracker.js';

/** What an expression sees while it is evaluated. */
export interface Frame {
  /** The value of a variable; undefined when there is none. */
  readonly resolve: (name: string) => Found | undefined;
  /** Undefined while constant parts are evaluated in advance. */
  readonly tracker: CostTracker | undefined;
  /** Is asked now and then in loops whether to stop. */
  readonly interrupted: () => boolean;
}

/** Evaluates to a value and accounts for it. */
export interface Step {
  readonly form: StepForm;
  /** Under which number its value waits for the step that takes it. */
  readonly id: () => number;
  readonly evaluate: (frame: Frame) => CelValue;
}

export type StepForm =
  | { readonly kind: 'const'; readonly value: CelValue }
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  | { readonly kind: 'call'; readonly function: string; readonly overload: string; readonly args: readonly Step[] }
  | { readonly kind: 'list'; readonly elements: readonly Step[] }
  | { readonly kind: 'map'; readonly keys: readonly Step[]; readonly values: readonly Step[] }
  | { readonly kind: 'other' };

/** Nothing to see: for constants. */
export const emptyFrame: Frame = { resolve: () => undefined, tracker: undefined, interrupted: () => false };
