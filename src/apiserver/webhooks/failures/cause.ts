import type { FailureClass } from '../../../kubernetes/webhook-call.js';
import type { Fault } from '../../admission/webhook-report.js';

/**
 * How far a call came before it failed, as the API server's own words around the reason tell: nothing could be sent
 * (`client`), it was sent and no answer came (`request`), the answer is no review (`answer`), the review breaks a rule
 * (`review`), its patch cannot be read (`patch`) or be used (`apply`).
 */
export type Stage = 'client' | 'request' | 'answer' | 'review' | 'patch' | 'apply';

/** One way for a call to fail: how the API server words it, and what is behind it. */
export interface Cause {
  /** Never changes: scripts may rely on it. */
  readonly id: string;
  readonly class: FailureClass;
  readonly fault: Fault;
  /** The reason without the words that tell the stage, from its beginning; its named groups fill `{name}` in `why` and `try`. */
  readonly text: RegExp;
  /** Where these words mean this; absent: wherever they stand. */
  readonly stages?: readonly Stage[];
  /** Without the words around them they could mean anything. */
  readonly needsContext?: true;
  readonly why: string;
  /** One thing to try, in the imperative. */
  readonly try: string;
}
