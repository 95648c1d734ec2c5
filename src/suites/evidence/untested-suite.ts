import type { CaseOutcome, TestFailure } from '../results.js';
import type { Suite, SuiteCase } from '../suite.js';
import { expectsNoCall, untested } from './untested.js';

/** Outcome of a case that ran, for the check of its suite. */
export interface CaseEvidence {
  readonly outcome: CaseOutcome;
  readonly reachesWebhookOrPolicy: boolean;
}

/**
 * Returns why a suite whose cases all pass has tested nothing: every case was skipped when it ran, or no case of the whole suite called a
 * webhook or had a policy evaluated. The second is not checked for a part of a suite, which may contain only cases that call no webhook.
 */
export function untestedSuite({ cases }: Suite, evidence: ReadonlyMap<SuiteCase, CaseEvidence>): TestFailure | undefined {
  const ran = [...evidence.values()];
  if (ran.length === 0) return undefined;
  if (ran.every(({ outcome }) => outcome === 'skipped')) {
    return {
      check: untested,
      message: 'no tests ran: every case was skipped, because its kind does not have the scenario, or no rule matches its call',
    };
  }
  const isWhole = cases.every(suiteCase => suiteCase.skip !== undefined || evidence.has(suiteCase));
  const isIntended =
    cases.some(expectsNoCall) || ran.some(({ outcome, reachesWebhookOrPolicy }) => reachesWebhookOrPolicy || isFailure(outcome));
  if (!isWhole || isIntended) return undefined;
  return {
    check: untested,
    message:
      'no case called a webhook or had a policy evaluated; check the rules and selectors of the configurations and policies, or write expect: {called: []} in a case that no webhook should be called for',
  };
}

function isFailure(outcome: CaseOutcome): boolean {
  return outcome === 'failed' || outcome === 'broken';
}
