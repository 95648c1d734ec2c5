import type { Stage } from '../../../apiserver/webhooks/failures/cause.js';
import type { ErrorFault, MatchedError } from '../../../client/errors/known-error.js';
import type { FailureClass } from '../../../kubernetes/webhook-call.js';

/** An error of the API server, or of one of its clients, found in a text. */
export interface FoundError {
  readonly message: string;
  readonly cause: {
    readonly id: string;
    readonly class: FailureClass | null;
    readonly fault: ErrorFault;
    readonly why: string;
    readonly try: string;
  };
  /** What failed: the call of an admission webhook, a conversion, or no call (a refusal). */
  readonly what: 'admission' | 'conversion' | 'refusal';
  readonly stage: Stage | undefined;
  readonly webhook: string | undefined;
  readonly url: string | undefined;
  /** Operation and file in kubectl's line. */
  readonly operation: string | undefined;
  readonly file: string | undefined;
  /** Error of no webhook: more about it, and its command. */
  readonly known: MatchedError | undefined;
}
