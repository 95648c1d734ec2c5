/** A JSON value; integers beyond the range of doubles are `bigint`. */
export type PlainValue = null | boolean | string | number | bigint | readonly PlainValue[] | PlainObject;

export interface PlainObject {
  readonly [member: string]: PlainValue;
}

/**
 * Result of one API call: the answer to the client, and the result of each webhook. The Report document of `webhook-cli review -o json`.
 */
export interface ReviewReport {
  readonly apiVersion: 'webhook-cli.dev/v1alpha1';
  readonly kind: 'Report';
  readonly kubernetesVersion: string;
  readonly call: { readonly method: string; readonly path: string; readonly user: { readonly username: string } };
  /** All webhooks considered, in order; one entry per invocation. */
  readonly webhooks: readonly ReviewedWebhook[];
  /** Every admission policy considered, in order; absent in a state without policies. */
  readonly policies?: readonly ReviewedPolicy[];
  readonly decision: ReviewDecision;
  /** kubectl's output. */
  readonly kubectl: string;
  /** Findings of the checks. */
  readonly findings: readonly { readonly check: string; readonly webhook: string; readonly message: string }[];
  /** Limits and assumptions of the report. */
  readonly notes: readonly string[];
}

/** Result of one policy with one binding and one parameter, or why it was skipped. */
export interface ReviewedPolicy {
  readonly phase: 'mutating' | 'validating';
  /** 2 when mutations run again. */
  readonly round: number;
  readonly policy: string;
  /** null: the policy itself does not match, or cannot be configured. */
  readonly binding: string | null;
  /** `namespace/name`, or a name. */
  readonly param: string | null;
  readonly attributes: ReviewedWebhook['attributes'];
  readonly outcome: 'allowed' | 'denied' | 'warned' | 'audited' | 'mutated' | 'skipped' | 'failed';
  readonly skipReason: { readonly predicate: string; readonly detail: string } | null;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly validationActions: readonly string[];
  readonly validations: readonly {
    readonly index: number;
    readonly expression: string;
    readonly outcome: 'true' | 'false' | 'error';
    readonly message: string | null;
    readonly reason: string | null;
  }[];
  readonly mutations: readonly {
    readonly index: number;
    readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
    readonly expression: string;
    readonly outcome: 'applied' | 'skipped' | 'error';
    readonly message: string | null;
  }[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The API server's message if the policy failed as a whole. */
  readonly message: string | null;
}

export interface ReviewDecision {
  readonly allowed: boolean;
  /** The HTTP status; 0 when the connection ends without an answer. */
  readonly code: number;
  /** The metav1.Status the client gets; null with an object. */
  readonly status: PlainObject | null;
  /** The texts of the Warning headers. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The object the client gets, in admission's final form; null with a Status. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access fields such as `object.spec.containers[0].image` of any kind
  readonly object: any;
}

export interface ReviewedWebhook {
  readonly phase: 'mutating' | 'validating';
  /** 2 when it is reinvoked. */
  readonly round: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly attributes: {
    readonly operation: string;
    readonly kind: GroupVersionKind;
    readonly resource: GroupVersionResource;
    readonly subResource: string;
    readonly name: string;
    readonly namespace: string;
    readonly dryRun: boolean;
  };
  readonly outcome: 'allowed' | 'denied' | 'skipped' | 'callFailed' | 'internalError';
  /** Why it was skipped. */
  readonly skipReason: { readonly predicate: string; readonly detail: string } | null;
  /** The resource sent to the webhook, which matchPolicy Equivalent may have converted. */
  readonly sent: { readonly kind: GroupVersionKind; readonly resource: GroupVersionResource; readonly subResource: string } | null;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** The operations of its JSON patch. */
  readonly patch: readonly PlainValue[];
  /** What the API server changed of the patch's result, as operations of a JSON patch: it adds defaults, and removes fields that the kind does not have. */
  readonly serverPatch: readonly PlainValue[];
  /** The Status it denied the call with. */
  readonly status: PlainObject | null;
  /** Why the call failed, which component is at fault, and what to do. */
  readonly failure: {
    readonly class: 'dns' | 'tcp' | 'tls' | 'http' | 'time' | 'body' | 'review' | 'patch' | 'limit';
    readonly message: string;
    readonly fault: string;
    readonly why: string;
    readonly try: string;
  } | null;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly durationMs: number | null;
  /** Request and response; absent when nothing was sent. */
  readonly exchange?: {
    readonly request: { readonly url: string; readonly serverName: string; readonly address: string; readonly body: string };
    /** null without an answer. Either `body` or `bodyBase64`, the latter for bytes that are not UTF-8. */
    readonly response: {
      readonly statusCode: number;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
      readonly body?: string;
      readonly bodyBase64?: string;
    } | null;
  };
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}
