import type { ApiServer } from '../../kubernetes/api-server.js';
import type { CallWebhook, Exchange } from '../../kubernetes/webhook-call.js';
import type { CheckFinding, CheckResult } from '../../suites/checks/checked-call.js';
import { answerDifferences } from '../../suites/recordings/compare-answers.js';
import { answeredReview } from '../../suites/recordings/recording-failures.js';
import { shown } from '../../suites/shown-json.js';
import { callTo } from '../webhooks/webhook-at-url.js';

/** The other webhook of `--compare`, and how it is called. */
export interface OtherWebhook {
  readonly url: string;
  readonly caBundle: Uint8Array | undefined;
  readonly callWebhook: CallWebhook;
  /** Reads the answers. */
  readonly server: ApiServer;
}

const check = 'compare';

/** Sends the reviews of a call to another webhook too, one after another, and returns where the answers differ. */
export async function compareWebhooks(exchanges: readonly Exchange[], other: OtherWebhook): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  for (const exchange of exchanges) findings.push(...(await compareOne(exchange, other)));
  const reviews = `${exchanges.length} review${exchanges.length === 1 ? '' : 's'}`;
  const note = exchanges.length === 0 ? 'nothing was sent that could be compared' : `${other.url} answers ${reviews} alike`;
  return { findings, notes: findings.length === 0 ? [`${check}: ${note}`] : [] };
}

async function compareOne({ call, answer }: Exchange, { url, caBundle, callWebhook, server }: OtherWebhook): Promise<CheckFinding[]> {
  const found = (message: string): CheckFinding => ({ check, webhook: call.webhook, message });
  const sent = { ...call, ...callTo(url, call), caBundle: caBundle ?? call.caBundle };
  const other = { call: sent, answer: await callWebhook(sent) };
  const [one, another] = [...answeredReview({ call, answer }), ...answeredReview(other)];
  if (answer.outcome !== 'answered' || one === undefined) {
    return other.answer.outcome === 'answered' ? [found(`does not answer, and ${url} does`)] : [];
  }
  if (other.answer.outcome !== 'answered') return [found(`answers, and ${url} does not: ${other.answer.message}`)];
  if (another === undefined) return [];
  return answerDifferences(server, one, another).map(({ path, expected, actual }) =>
    found(`answers ${shown(expected, actual)} for ${path}, and ${url} ${shown(actual, expected)}`),
  );
}
