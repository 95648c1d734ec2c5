import { reachesWebhookOrPolicy } from '../evidence/untested.js';
import type { CaseEvidence } from '../evidence/untested-suite.js';
import type { CaseResult } from '../results.js';
import type { Suite, SuiteCase } from '../suite.js';
import { type CaseRunning, runCase } from './run-case.js';

/** A case that ran: plain data, which threads can exchange. */
export interface RanCase {
  /** Without the parts that no reporter needs. */
  readonly result: CaseResult;
  readonly evidence: CaseEvidence;
}

export type RunCase = (suiteCase: SuiteCase) => Promise<RanCase>;

export interface RanCaseOptions extends CaseRunning {
  /** Drops the parts of a result that no reporter needs. */
  readonly reduced: (result: CaseResult) => CaseResult;
}

/** Runs a case in this thread. */
export async function runCaseHere(suite: Suite, suiteCase: SuiteCase, options: RanCaseOptions): Promise<RanCase> {
  const result = await runCase(suite, suiteCase, options);
  return { result: options.reduced(result), evidence: { outcome: result.outcome, reachesWebhookOrPolicy: reachesWebhookOrPolicy(result) } };
}
