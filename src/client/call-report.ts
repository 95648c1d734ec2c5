import type { Exchange } from '../kubernetes/webhook-call.js';
import type { CommandReport } from './kubectl-lines.js';

/** Something a further question to a webhook brought to light. The message goes on where the webhook's name ends. */
export interface Finding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

/** One call with everything reports can say about it. */
export interface CallReport extends CommandReport {
  /** In the order they were sent. */
  readonly exchanges: readonly Exchange[];
  /** What kubectl would print, line by line. */
  readonly kubectl: readonly string[];
  readonly findings: readonly Finding[];
}
