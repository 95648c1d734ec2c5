import type { Report } from '../../../apiserver/report/report.js';
import { CliError } from '../../../client/cli-error.js';
import type { CheckName } from '../../../client/options/call-checks.js';
import { answerWithEffects, type CallSurroundings, type ObserveCall } from '../../../client/run/run-calls.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { counted } from '../../../kubernetes/counted.js';
import type { Effects } from '../../../kubernetes/effects.js';
import type { CallWebhook, WebhookExchange } from '../../../kubernetes/webhook-call.js';
import type { CheckFinding, CheckResult } from '../../../suites/checks/checked-call.js';
import { runChecks } from '../../../suites/checks/run-checks.js';
import { recordedDifferences } from '../../../suites/recordings/compare-answers.js';
import { answeredReview } from '../../../suites/recordings/recording-failures.js';
import { shownJson } from '../../../suites/shown-json.js';
import { callTo } from '../webhooks/webhook-at-url.js';
import { comparePolicies } from './compare-policies.js';
import type { WebhookComparison } from './comparison.js';

/** Context of the calls whose webhooks are checked. */
export interface CheckSurroundings {
  readonly callWebhook: CallWebhook;
  /** Side effects of one call, each time with the same uids, time and randomness. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState, number: number) => Effects;
  readonly observe?: ObserveCall | undefined;
}

/**
 * Returns a function that runs the checks, which repeat a call in the state before it, and compares its webhooks with policies or with
 * another webhook.
 */
export function checkOf(
  names: readonly CheckName[],
  comparison: WebhookComparison | undefined,
  { callWebhook, effects, observe }: CheckSurroundings,
): NonNullable<CallSurroundings['check']> {
  return async ({ planned: { call, captured }, report, exchanges }, state, number) => {
    if (captured !== undefined) refuseCallsAgain(names, comparison);
    const repeatCall = (other: ApiCall, inState: ClusterState): Promise<Report> => {
      const answer = (): Promise<Report> => answerWithEffects(other, inState, () => effects(callWebhook, inState, number));
      return observe?.({ call: other, state: inState, isRepeated: true }, answer) ?? answer();
    };
    const checked =
      names.length === 0
        ? { findings: [], notes: [] }
        : await runChecks(names, { call, state, report, exchanges, again: repeatCall, send: callWebhook });
    if (comparison === undefined) return checked;
    const compared =
      'url' in comparison
        ? await compareWebhooks(exchanges, { ...comparison, callWebhook, server: state.server })
        : { findings: await comparePolicies({ call, state, report, again: repeatCall }, comparison.policies), notes: [] };
    return { findings: [...checked.findings, ...compared.findings], notes: [...checked.notes, ...compared.notes] };
  };
}

/** Returns the error for a flag that makes the API call of a captured review again, which is unknown. */
export function callNeeded(flag: string): CliError {
  return new CliError('usage', `${flag} needs an API call, and a captured review is sent as it is`, {
    suggestions: ['pass the manifest instead', 'compare with another webhook: --compare URL'],
  });
}

function refuseCallsAgain(names: readonly CheckName[], comparison: WebhookComparison | undefined): void {
  const flag = names.length > 0 ? '--check' : comparison !== undefined && 'policies' in comparison ? '--compare with policies' : undefined;
  if (flag !== undefined) throw callNeeded(flag);
}

/** The other webhook of `--compare`, and how it is called. */
interface OtherWebhook {
  readonly url: string;
  readonly caBundle: Uint8Array | undefined;
  readonly callWebhook: CallWebhook;
  /** Reads the answers. */
  readonly server: ApiServer;
}

const check = 'compare';

/** Sends the reviews of a call to another webhook too, one after another, and returns where the answers differ. */
async function compareWebhooks(exchanges: readonly WebhookExchange[], other: OtherWebhook): Promise<CheckResult> {
  const findings: CheckFinding[] = [];
  for (const exchange of exchanges) findings.push(...(await compareOne(exchange, other)));
  const reviews = counted(exchanges.length, 'review');
  const note = exchanges.length === 0 ? 'nothing was sent that could be compared' : `${other.url} answers ${reviews} alike`;
  return { findings, notes: findings.length === 0 ? [`${check}: ${note}`] : [] };
}

async function compareOne(
  { call, answer }: WebhookExchange,
  { url, caBundle, callWebhook, server }: OtherWebhook,
): Promise<CheckFinding[]> {
  const found = (message: string): CheckFinding => ({ check, webhook: call.webhook, message });
  const sent = { ...call, ...callTo(url, call), caBundle: caBundle ?? call.caBundle };
  const other = { call: sent, answer: await callWebhook(sent) };
  const [one, another] = [...answeredReview({ call, answer }), ...answeredReview(other)];
  if (answer.outcome !== 'answered' || one === undefined) {
    return other.answer.outcome === 'answered' ? [found(`does not answer, and ${url} does`)] : [];
  }
  if (other.answer.outcome !== 'answered') return [found(`answers, and ${url} does not: ${other.answer.message}`)];
  if (another === undefined) return [];
  return recordedDifferences(server, one, another).map(({ path, expected, actual }) =>
    found(`answers ${shownJson(expected, actual)} for ${path}, and ${url} ${shownJson(actual, expected)}`),
  );
}
