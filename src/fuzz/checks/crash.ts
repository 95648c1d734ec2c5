import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import type { CallCheck, ShownFinding } from './finding.js';

/** Begins the message of a broken connection. */
export const closesConnection = 'closes the connection without an answer: ';

const firstServerError = 500;
const maxText = 300;
const maxSearched = 10_000;

/** A connection that is closed or reset without an answer, and an answer with a status of 500 or more. */
export const crash: CallCheck = ({ exchanges }) => exchanges.flatMap(crashOf);

function crashOf({ call: { webhook }, answer }: WebhookExchange): ShownFinding[] {
  if (answer.outcome === 'answered') {
    if (answer.statusCode < firstServerError) return [];
    // A secret that is cut off cannot be recognized.
    const text = textWithoutSecrets(Buffer.from(answer.body.slice(0, maxSearched)).toString('utf8'))
      .slice(0, maxText)
      .trim();
    return [{ check: 'crash', webhook, message: `answers with status ${answer.statusCode}${text === '' ? '' : `: ${text}`}` }];
  }
  if (answer.outcome !== 'failed' || !isBroken(answer)) return [];
  return [{ check: 'crash', webhook, message: `${closesConnection}${answer.reason ?? answer.message}` }];
}

/**
 * Reports whether the webhook took the connection and broke it, or with HTTP/2 the stream, as Go's server does when a handler panics. Nothing is
 * known about one that cannot be reached.
 */
export function isBroken({ class: failureClass, message }: { readonly class: string; readonly message: string }): boolean {
  return failureClass === 'tcp'
    ? !isUnreachable(message)
    : failureClass === 'http' && /EOF|malformed HTTP|reset|broken|INTERNAL_ERROR/.test(message);
}

/** Reports whether an error says that nothing accepts connections. */
export function isUnreachable(message: string): boolean {
  return /dial tcp|connection refused|no such host|no route to host|network is unreachable/.test(message);
}
