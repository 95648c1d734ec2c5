import type { PolicyReport } from '../../apiserver/admission/policy-report.js';
import type { SkipReason } from '../../apiserver/admission/webhook-report.js';
import { stringAt } from '../../go/value.js';
import type { CaseOutput, SnapshotState, TestFailure } from '../results.js';
import type { SnapshotMode } from '../snapshots/settle.js';
import type { SuiteCase } from '../suite.js';

/** Result of a case whose expectations hold. */
export interface Evidence {
  readonly output: CaseOutput;
  /** Undefined without a snapshot. */
  readonly snapshot: SnapshotState | undefined;
  readonly mode: SnapshotMode;
}

/**
 * Returns why a case that would pass has tested nothing: nothing was compared, or no webhook was called, no policy was evaluated, and
 * the case does not expect that. A stored snapshot that matches is evidence in both respects: it shows what was called.
 */
export function untestedFailures(suiteCase: SuiteCase, { output, snapshot, mode }: Evidence): TestFailure[] {
  if (snapshot === 'matched') return [];
  const isSnapshotOnly = !hasExpectations(suiteCase);
  if (isSnapshotOnly && mode === 'update' && snapshot !== undefined) return [];
  if (isSnapshotOnly && mode === 'review') return [missingSnapshot(suiteCase)];
  const reason = reachesWebhookOrPolicy(output) || expectsNoCall(suiteCase) ? undefined : uncalledReason(output);
  return reason === undefined ? [] : [{ check: untested, message: reason, place: suiteCase.place }];
}

/** Reports whether a failure asks the user to accept a new snapshot. */
export function asksForSnapshot({ message }: TestFailure): boolean {
  return message === missing;
}

/** The check of cases and suites that have tested nothing. */
export const untested = 'untested';

/** Reports whether the case compares anything other than its snapshot. */
export function hasExpectations({
  expect,
  steps,
  checks,
  conversion,
  options,
  recording,
}: Pick<SuiteCase, 'expect' | 'steps' | 'checks' | 'conversion' | 'options' | 'recording'>): boolean {
  if (recording !== undefined || steps !== undefined) return true;
  if (conversion !== undefined) return Object.keys(conversion).length > 0 || options.roundTrip === true;
  return Object.keys(expect).length > 0 || checks.length > 0;
}

/** Reports whether a webhook got a review, a policy was evaluated, or an object was converted by the API server itself. */
export function reachesWebhookOrPolicy({ calls, conversion }: CaseOutput): boolean {
  if (conversion === undefined)
    return calls.some(
      ({ report: { webhooks, policies = [] } }) =>
        webhooks.some(({ requestBody }) => requestBody !== undefined) || policies.some(isEvaluated),
    );
  return conversion.exchanges.length > 0 || conversion.conversions.some(({ from, to }) => from !== to) || conversion.findings !== undefined;
}

/** A policy that cannot be configured or has an error refuses everything, as a webhook does that does not run. */
function isEvaluated(policy: PolicyReport): boolean {
  return policy.outcome !== 'skipped' && policy.outcome !== 'failed' && errorOf(policy) === undefined;
}

function errorOf({ validations, mutations }: PolicyReport): string | undefined {
  return [...validations, ...mutations].find(({ outcome }) => outcome === 'error')?.message;
}

/** Reports whether the case says which webhooks are called, or names the API server's own answer. */
export function expectsNoCall({ expect, steps, conversion }: Pick<SuiteCase, 'expect' | 'steps' | 'conversion'>): boolean {
  if (conversion !== undefined) return conversion.message !== undefined;
  if (steps !== undefined) return steps.every(step => expectsNoCall({ expect: step.expect }));
  return expect.called !== undefined || expect.message !== undefined;
}

/**
 * Returns why the call of a scenario shows nothing about the webhooks: no rule of any webhook or policy matches it, and nothing else is wrong. Undefined for
 * other cases, for calls that a selector or a condition keeps from a webhook, and for cases that say which webhooks are called.
 */
export function unmatchedScenario(suiteCase: SuiteCase, { calls }: CaseOutput): string | undefined {
  if (suiteCase.scenario === undefined || expectsNoCall(suiteCase)) return undefined;
  if (calls.some(({ report, findings = [] }) => !report.decision.allowed || findings.length > 0)) return undefined;
  const reports = calls.flatMap(({ report: { webhooks, policies = [] } }) => [...webhooks, ...policies]);
  const isUnmatched = reports.every(({ outcome, skipReason }) => outcome === 'skipped' && skipReason?.predicate === 'rules');
  return isUnmatched ? reports[0]?.skipReason?.detail : undefined;
}

const missing = 'missing snapshot, and the case expects nothing else; accept it with webhook-cli snapshot review, or with --update';

function missingSnapshot({ place }: SuiteCase): TestFailure {
  return { check: 'snapshot', message: missing, place };
}

function uncalledReason({ calls, conversion }: CaseOutput): string {
  if (conversion !== undefined) {
    return 'the conversion webhook was not called: the objects already have the requested version; convert them to another one';
  }
  const skipped = calls.flatMap(({ report: { webhooks, policies = [] } }) => [
    ...webhooks.filter(({ outcome }) => outcome === 'skipped').map(({ webhook, skipReason }) => skipText(webhook, skipReason)),
    ...policies.map(policyText),
  ]);
  const refused = calls.find(({ report }) => !report.decision.allowed);
  const lines = [...new Set(skipped)];
  const status = refused === undefined ? '' : `; the API server refused the call: ${stringAt(refused.report.decision.status, 'message')}`;
  const none = skipped.length === 0 && refused === undefined ? ': no webhook or policy is configured for the call' : '';
  const advice = 'change the case so that a webhook is called or a policy is evaluated, or write expect: {called: []} if none should be';
  return [`no webhook was called and no policy was evaluated${none}${status}`, ...lines.slice(0, maxLines), `try: ${advice}`].join('\n');
}

const maxLines = 5;

function skipText(name: string, reason: SkipReason | undefined): string {
  return `${name} was skipped (${reason?.predicate ?? 'rules'}): ${reason?.detail ?? ''}`;
}

function policyText(report: PolicyReport): string {
  const { policy, outcome, skipReason, message = errorOf(report) } = report;
  return outcome === 'skipped' ? skipText(`policy ${policy}`, skipReason) : `policy ${policy} failed: ${message ?? ''}`;
}
