import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import type { WebhookFault } from '../../admission/webhook-report.js';

/**
 * Stage at which a call failed, by the API server's prefixes: nothing could be sent (`client`), there was no response (`request`), the
 * response is not a review (`answer`), the review violates a rule (`review`), its patch cannot be parsed (`patch`) or applied (`apply`).
 */
export type Stage = 'client' | 'request' | 'answer' | 'review' | 'patch' | 'apply';

/** Cause of a failed call: the API server's message and its explanation. */
export interface FailureCause {
  /** Stable id: scripts may rely on it. */
  readonly id: string;
  readonly class: FailureClass;
  readonly fault: WebhookFault;
  /** Pattern for the reason without the prefixes of the stage, from its start; its named groups fill `{name}` in `why` and `try`. */
  readonly text: RegExp;
  /** Stages at which the text has this meaning; absent: all. */
  readonly stages?: readonly Stage[];
  /** True when the text is ambiguous without its prefixes. */
  readonly needsContext?: true;
  readonly why: string;
  /** Suggested action, in the imperative. */
  readonly try: string;
}

/** Stage at which a call failed, with its error. */
export interface FailedStage {
  /** Undefined when the API server refuses to make the call. */
  readonly stage: Stage | undefined;
  /** Error without the API server's prefix. */
  readonly message: string;
}

/** Returns the message after `failed calling webhook "NAME": `. At the stage `request`, `message` lacks the request line of Go's client. */
export function reasonOf({ stage, message }: FailedStage): string {
  return stage === undefined ? message : prefixes[stage] + message;
}

const prefixes: Readonly<Record<Stage, string>> = {
  client: 'could not get REST client: ',
  request: 'failed to call webhook: ',
  answer: 'failed to call webhook: ',
  review: 'received invalid webhook response: ',
  patch: 'received undecodable patch in webhook response: ',
  apply: 'Internal error occurred: ',
};
