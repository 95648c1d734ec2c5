import type { Type } from '../values/type.js';
import type { CelError, CelValue, FoundValue } from '../values/value.js';
import type { CostTracker } from './cost-tracker.js';

/** Environment of a running evaluation. */
export interface EvaluationFrame {
  /** Returns the value of a variable; undefined when there is none. */
  resolve(name: string): FoundValue | undefined;
  /** Undefined while constant parts are evaluated in advance. */
  readonly tracker: CostTracker | undefined;
  /** Polled in loops; true stops the evaluation. */
  readonly interrupted: () => boolean;
}

/** A step of a plan: evaluates to a value and records its cost. */
export interface EvaluationStep {
  readonly form: StepForm;
  /** Node id under which its value waits for the step that consumes it. */
  readonly id: () => number;
  readonly evaluate: (frame: EvaluationFrame) => CelValue;
}

export type StepForm =
  | { readonly kind: 'const'; readonly value: CelValue }
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  | { readonly kind: 'call'; readonly function: string; readonly overload: string; readonly args: readonly EvaluationStep[] }
  | { readonly kind: 'list'; readonly elements: readonly EvaluationStep[] }
  | { readonly kind: 'map'; readonly keys: readonly EvaluationStep[]; readonly values: readonly EvaluationStep[] }
  | { readonly kind: 'other' };

/** A variable, or the value of a step, with qualifiers. Mutable while the expression is planned. */
export type Attribute = NamedAttribute | RelativeAttribute | ConditionalAttribute;

export interface NamedAttribute {
  readonly kind: 'named';
  readonly nodeId: number;
  readonly name: string;
  /** The type with this name, used when there is no variable. */
  readonly type: Type | undefined;
  readonly qualifiers: Qualifier[];
}

export interface RelativeAttribute {
  readonly kind: 'relative';
  readonly nodeId: number;
  readonly operand: EvaluationStep;
  readonly qualifiers: Qualifier[];
}

/** `c ? a : b`; qualifiers are added to both. */
export interface ConditionalAttribute {
  readonly kind: 'conditional';
  readonly nodeId: number;
  readonly condition: EvaluationStep;
  readonly truthy: Attribute;
  readonly falsy: Attribute;
}

/** One qualifier: a field, an index, a key. */
export interface Qualifier {
  readonly id: () => number;
  /** A missing value gives none instead of an error. */
  readonly optional: boolean;
  readonly qualify: (frame: EvaluationFrame, target: FoundValue) => FoundValue;
  readonly qualifyIfPresent: (frame: EvaluationFrame, target: FoundValue, presenceOnly: boolean) => Presence | CelError;
}

/** Result of a presence test. */
export type Presence = { readonly present: true; readonly found: FoundValue } | { readonly present: false };

/** Frame without variables, for constants. */
export const emptyFrame: EvaluationFrame = { resolve: () => undefined, tracker: undefined, interrupted: () => false };
