import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CommandReport } from '../kubectl-lines.js';

/** Finding of a check. The message continues after the webhook's name. */
export interface CallFinding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

/** One call with everything that reports show. */
export interface CallReport extends CommandReport {
  /** In the order of the requests. */
  readonly exchanges: readonly WebhookExchange[];
  /** kubectl's output, line by line. */
  readonly kubectl: readonly string[];
  readonly findings: readonly CallFinding[];
}
