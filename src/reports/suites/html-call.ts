import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { joinHostPort } from '../../go/net/host-port.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CaseCall } from '../../suites/results.js';
import { element, type Html } from '../../writers/html.js';
import { objectDiffLines } from '../diff.js';
import { outcomeWords } from '../outcome-words.js';
import { bodyBlock, diffBlock, textBlock } from './html/texts.js';
import { tallyDuration } from './tally.js';

/** One API call of a case: the request, each webhook's answer, the answer to the client, the raw exchanges, and notes that are not `known`. */
export function callSection({ report, kubectl, exchanges, step }: CaseCall, known: readonly string[]): Html {
  const { call, decision, webhooks, notes } = report;
  const [path = ''] = call.path.split('?');
  return element(
    'section',
    {},
    element(
      'h3',
      {},
      `${step === undefined ? '' : `step ${step.number} (${step.name}): `}${call.method} ${path} `,
      element('span', { class: 'quiet' }, `by ${call.user.username}`),
    ),
    element('p', { class: decision.allowed ? 'passed' : 'failed' }, `${decision.allowed ? 'allowed' : 'refused'} (${decision.code})`),
    webhooks.filter(hasOwnLine).map(webhookPart),
    kubectl.length === 0 ? undefined : textBlock(kubectl.join('\n')),
    exchanges.map(exchangePart),
    notes.filter(note => !known.includes(note)).map(note => element('p', { class: 'quiet' }, `note: ${note}`)),
  );
}

/** A second round without calls is normal, and omitted. */
function hasOwnLine({ outcome, skipReason }: WebhookReport): boolean {
  return outcome !== 'skipped' || skipReason?.predicate !== 'reinvocation';
}

function webhookPart(entry: WebhookReport): Html {
  const { phase, webhook, round, outcome, durationMs, change, failure, skipReason, warnings } = entry;
  const time = durationMs === undefined ? '' : `, ${tallyDuration(durationMs)}`;
  const said = [
    skipReason === undefined ? '' : `${skipReason.predicate}: ${skipReason.detail}`,
    outcome === 'denied' ? (entry.status?.message ?? '') : '',
    failure?.message ?? '',
    ...warnings.map(text => `Warning: ${text}`),
  ].filter(text => text !== '');
  return element(
    'div',
    {},
    element(
      'p',
      {},
      element('b', {}, webhook),
      element('span', { class: 'quiet' }, ` ${phase}${round > 1 ? ', called again' : ''}: `),
      `${outcomeWords(entry)}${time}`,
    ),
    said.map(text => element('p', { class: 'quiet' }, text)),
    change === undefined ? undefined : diffBlock(objectDiffLines(change)),
  );
}

/** The raw exchanges, collapsed. */
export function exchangePart({ call, answer }: WebhookExchange): Html {
  const { url, serverName, address, body } = call;
  return element(
    'details',
    {},
    element('summary', {}, `Request to ${call.webhook}: ${statusText(answer)}`),
    element('dl', {}, pair('POST', url), pair('connected to', joinHostPort(address.host, address.port)), pair('server name', serverName)),
    bodyBlock(body),
    answer.outcome === 'answered'
      ? [
          element(
            'dl',
            {},
            pair('status', String(answer.statusCode)),
            answer.headers.map(([name, value]) => pair(name, value)),
          ),
          bodyBlock(answer.body),
        ]
      : textBlock(answer.message),
  );
}

function statusText(answer: WebhookExchange['answer']): string {
  if (answer.outcome === 'answered') return `${answer.statusCode} after ${tallyDuration(answer.durationMs)}`;
  return answer.outcome === 'failed' ? `no answer after ${tallyDuration(answer.durationMs)}` : 'not sent';
}

function pair(term: string, value: string): readonly Html[] {
  return [element('dt', {}, term), element('dd', {}, value)];
}
