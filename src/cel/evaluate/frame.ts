import type { Type } from '../values/type.js';
import type { CelError, CelValue, Found } from '../values/value.js';
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

/** A variable, or the value of a step, and the way into it. Grows while the expression is planned. */
export type Attribute = NamedAttribute | RelativeAttribute | ConditionalAttribute;

export interface NamedAttribute {
  readonly kind: 'named';
  readonly nodeId: number;
  readonly name: string;
  /** A type of this name, for when there is no variable. */
  readonly type: Type | undefined;
  readonly qualifiers: Qualifier[];
}

export interface RelativeAttribute {
  readonly kind: 'relative';
  readonly nodeId: number;
  readonly operand: Step;
  readonly qualifiers: Qualifier[];
}

/** `c ? a : b`; a way further goes into both. */
export interface ConditionalAttribute {
  readonly kind: 'conditional';
  readonly nodeId: number;
  readonly condition: Step;
  readonly truthy: Attribute;
  readonly falsy: Attribute;
}

/** One step into a value: a field, an index, a key. */
export interface Qualifier {
  readonly id: () => number;
  /** A missing value is no error but none. */
  readonly optional: boolean;
  readonly qualify: (frame: Frame, target: Found) => Found;
  readonly qualifyIfPresent: (frame: Frame, target: Found, presenceOnly: boolean) => Presence | CelError;
}

/** Was there a value? */
export type Presence = { readonly present: true; readonly found: Found } | { readonly present: false };

/** Nothing to see: for constants. */
export const emptyFrame: Frame = { resolve: () => undefined, tracker: undefined, interrupted: () => false };
