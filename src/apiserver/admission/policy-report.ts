import type { ReportedAttributes, SkipReason } from './webhook-report.js';

export type PolicyPhase = 'mutating' | 'validating';

/** `failed`: not configurable or not evaluable. The failure policy decides whether that refuses the request. */
export type PolicyOutcome = 'allowed' | 'denied' | 'warned' | 'audited' | 'mutated' | 'skipped' | 'failed';

/** Effect of one policy with one binding and one parameter on a request, or the reason why there was none. */
export interface PolicyReport {
  readonly phase: PolicyPhase;
  /** 2 when mutations are reinvoked, else 1. */
  readonly round: number;
  readonly policy: string;
  /** Undefined when the policy itself does not match or cannot be configured. */
  readonly binding: string | undefined;
  /** `namespace/name`, or a name; undefined without a parameter. */
  readonly param: string | undefined;
  readonly attributes: ReportedAttributes;
  readonly outcome: PolicyOutcome;
  readonly skipReason: SkipReason | undefined;
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** `Deny`, `Warn`, `Audit`; empty for mutating policies. */
  readonly validationActions: readonly string[];
  readonly validations: readonly ValidationReport[];
  readonly mutations: readonly MutationReport[];
  /** Audit annotations that it publishes. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Object before and after all mutations, as JSON; undefined when nothing changed. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  /** API server's message for a failure of the whole policy. */
  readonly message: string | undefined;
}

export interface ValidationReport {
  readonly index: number;
  readonly expression: string;
  readonly outcome: 'true' | 'false' | 'error';
  /** API server's message; undefined for a validation that passes. */
  readonly message: string | undefined;
  readonly reason: string | undefined;
}

export interface MutationReport {
  readonly index: number;
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
  /** `skipped`: a JSON patch's test failed, or there is no object. */
  readonly outcome: 'applied' | 'skipped' | 'error';
  readonly message: string | undefined;
}
