import type { WebhookAnswer } from '../../kubernetes/webhook-call.js';
import type { ShownFinding } from '../checks/finding.js';
import type { MadeCall } from '../pipeline/pipeline.js';

/** Begins the message of a process that ended, which may be noticed at a later call. */
export const endsProcess = 'ends its process ';

/** Returns how a webhook failed so that it may not be reachable any more; undefined if none did. */
export function failureOf({ exchanges }: MadeCall): 'failed' | 'timeout' | undefined {
  const failures = exchanges.flatMap(({ answer }) => (answer.outcome === 'failed' && !isOwnFailure(answer) ? [answer.class] : []));
  return failures.includes('time') ? 'timeout' : failures.length > 0 ? 'failed' : undefined;
}

/** Reports whether a server gave up one request of a connection, as Go's does with HTTP/2 when a handler panics. */
export function isOwnFailure({ message }: Extract<WebhookAnswer, { outcome: 'failed' }>): boolean {
  return /INTERNAL_ERROR; received from peer/.test(message);
}

/** Returns the bug of a process that ended, by its last lines; undefined if there are none. */
export function endOfFailure({ exchanges }: MadeCall, lines: readonly string[]): ShownFinding | undefined {
  const webhook = exchanges.at(-1)?.call.webhook;
  if (lines.length === 0 || webhook === undefined) return undefined;
  return { check: 'crash', webhook, message: `${endsProcess}${endIn(lines[0] ?? '')}` };
}

/** `with exit code 3` of the sentence about a process, whose command has the port and the folder of this start. */
function endIn(sentence: string): string {
  return / ended (.*) during the run$/.exec(sentence)?.[1] ?? sentence;
}
