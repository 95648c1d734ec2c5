import type { CaseOutcome, TestFailure } from '../results.js';
import type { Suite } from '../suite.js';
import { expectsNoCall, untested } from './untested.js';

/** Outcome of a case that ran, for the check of its suite. */
export interface CaseEvidence {
  readonly outcome: CaseOutcome;
  readonly reachesWebhookOrPolicy: boolean;
}

/** What the cases of a suite that ran have shown together. */
export interface SuiteEvidence {
  ran: number;
  skipped: number;
  /** One of them reached a webhook or policy, or failed. */
  isFound: boolean;
}

/** Returns the evidence before any case has run. */
export function noEvidence(): SuiteEvidence {
  return { ran: 0, skipped: 0, isFound: false };
}

/** Adds that of a case, each of which is added once. */
export function addEvidence(total: SuiteEvidence, { outcome, reachesWebhookOrPolicy }: CaseEvidence): void {
  total.ran += 1;
  if (outcome === 'skipped') total.skipped += 1;
  if (reachesWebhookOrPolicy || isFailure(outcome)) total.isFound = true;
}

/**
 * Returns why a suite whose cases all pass has tested nothing: every case was skipped when it ran, or no case of the whole suite called a
 * webhook or had a policy evaluated. The second is not checked for a part of a suite, which may contain only cases that call no webhook.
 */
export function untestedSuite({ cases }: Suite, { ran, skipped, isFound }: SuiteEvidence): TestFailure | undefined {
  if (ran === 0) return undefined;
  if (skipped === ran) {
    return {
      check: untested,
      message: 'no tests ran: every case was skipped, because its kind does not have the scenario, or no rule matches its call',
    };
  }
  const isWhole = ran === cases.filter(({ skip }) => skip === undefined).length;
  if (!isWhole || isFound || cases.some(expectsNoCall)) return undefined;
  return {
    check: untested,
    message:
      'no case called a webhook or had a policy evaluated; check the rules and selectors of the configurations and policies, or write expect: {called: []} in a case that no webhook should be called for',
  };
}

function isFailure(outcome: CaseOutcome): boolean {
  return outcome === 'failed' || outcome === 'broken';
}
