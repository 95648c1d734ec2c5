import type { CallSteps } from '../kubernetes/call-steps.js';

/** Content of a trace page: the JSON in it. Long texts are in `texts`, once each, and named by their index. */
export interface TraceData {
  readonly title: string;
  readonly toolVersion: string;
  readonly entries: readonly TraceEntry[];
  readonly texts: readonly string[];
}

export type TraceOutcome = 'allowed' | 'refused' | 'passed' | 'failed' | 'broken' | 'skipped';

/** A line of the list: a call, or a case with its calls. */
export interface TraceEntry {
  readonly name: string;
  /** The suite of a case. */
  readonly group?: string | undefined;
  readonly outcome: TraceOutcome;
  /** Id of its element in the report that contains the time lines. */
  readonly anchor?: string | undefined;
  /** More facts in one line: the position of the case, its attempts. */
  readonly facts: string;
  readonly failures: readonly TraceFailure[];
  readonly notes: readonly string[];
  readonly calls: readonly TraceCall[];
}

export interface TraceFailure {
  readonly check: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  readonly diff?: string | undefined;
}

/** Index of a text in `TraceData.texts`. */
export type TextIndex = number;

export interface TraceCall {
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly version: string;
  readonly allowed: boolean;
  readonly code: number;
  readonly kubectl: TextIndex;
  readonly answer: TextIndex;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly findings: readonly string[];
  readonly durationMs?: number | undefined;
  readonly steps: readonly TraceStep[];
  readonly webhooks: readonly TraceWebhook[];
  readonly policies: readonly TracePolicy[];
}

type Step = CallSteps['steps'][number];

export type TraceStep = Omit<Step, 'error' | 'before' | 'after'> & {
  readonly error?: TextIndex | undefined;
  readonly before?: TextIndex | undefined;
  readonly after?: TextIndex | undefined;
};

/** One webhook of a call: why it was or was not called, and what was sent and answered. */
export interface TraceWebhook {
  readonly phase: string;
  readonly round: number;
  readonly configuration: string;
  readonly webhook: string;
  readonly outcome: string;
  readonly failurePolicy: string;
  readonly durationMs?: number | undefined;
  /** Why it was skipped. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** What to do about a failed call. */
  readonly advice?: string | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly selection: readonly TracePredicate[];
  readonly exchange?: TraceExchange | undefined;
}

/** A predicate of the selection: what it requires, and the value in the call. */
export interface TracePredicate {
  readonly predicate: string;
  readonly wants: string;
  readonly saw: string;
  /** The webhook was skipped because of it. */
  readonly decided: boolean;
}

export interface TraceExchange {
  readonly url: string;
  readonly address: string;
  readonly serverName: string;
  readonly request: TextIndex;
  /** The curl command without the body. */
  readonly curl: string;
  /** Undefined without a response. */
  readonly statusCode?: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** The body, or the error. */
  readonly response: TextIndex;
}

/** One policy with one binding and parameter. */
export interface TracePolicy {
  readonly phase: string;
  readonly policy: string;
  readonly binding: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly expressions: readonly { readonly expression: string; readonly outcome: string; readonly message?: string | undefined }[];
}
