import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import type { CommandReport } from './kubectl-lines.js';

/** A review and its answer. */
export interface Exchange {
  readonly call: WebhookCall;
  readonly answer: WebhookAnswer;
}

/** A finding of a check. The message continues a sentence that starts with the webhook's name. */
export interface Finding {
  readonly check: string;
  readonly webhook: string;
  readonly message: string;
}

/** One call with everything that reports can show about it. */
export interface CallReport extends CommandReport {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** kubectl's output, line by line. */
  readonly kubectl: readonly string[];
  readonly findings: readonly Finding[];
}

/** The exchanges of the report's entries; an entry that was never sent has none. */
export function exchangesByEntry({ report, exchanges }: CallReport): ReadonlyMap<WebhookReport, Exchange> {
  const left = [...exchanges];
  const found = new Map<WebhookReport, Exchange>();
  for (const entry of report.webhooks) {
    const at = entry.requestBody === undefined ? -1 : left.findIndex(({ call }) => belongsTo(call, entry));
    const [exchange] = at < 0 ? [] : left.splice(at, 1);
    if (exchange !== undefined) found.set(entry, exchange);
  }
  return found;
}

function belongsTo(call: WebhookCall, entry: WebhookReport): boolean {
  return call.phase === entry.phase && call.configuration === entry.configuration && call.webhook === entry.webhook;
}
