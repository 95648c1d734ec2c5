import type { ReportedAttributes, SkipReason } from './webhook-report.js';

export type PolicyPhase = 'mutating' | 'validating';

/** `failed`: it could not be configured or evaluated. Whether that refuses the request is up to its failure policy. */
export type PolicyOutcome = 'allowed' | 'denied' | 'warned' | 'audited' | 'mutated' | 'skipped' | 'failed';

/** What one policy with one binding and one parameter did to a request, or why it did nothing. */
export interface PolicyReport {
  readonly phase: PolicyPhase;
  /** 1, or 2 when mutations run again. */
  readonly round: number;
  readonly policy: string;
  /** Undefined where the policy itself does not match, or cannot be configured. */
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
  /** The audit annotations that it publishes. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The object before and after all mutations, as JSON; undefined where nothing changed. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  /** Why it failed as a whole, in the API server's words. */
  readonly message: string | undefined;
}

export interface ValidationReport {
  readonly index: number;
  readonly expression: string;
  readonly outcome: 'true' | 'false' | 'error';
  /** The API server's words; undefined for a validation that holds. */
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
