import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { WebhookAnswer, WebhookCall } from '../kubernetes/webhook-call.js';
import type { CommandReport } from './kubectl-lines.js';

/** A review as it was sent and what came back. */
export interface Exchange {
  readonly call: WebhookCall;
  readonly answer: WebhookAnswer;
}

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

/** The exchanges of the report's entries: an entry that was never sent has none. */
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
