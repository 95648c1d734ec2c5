import type { CallReport } from '../../client/call-report.js';
import type { CallFlags } from '../../client/options/call-options.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { CaseCall } from '../../suites/results.js';
import type { SuiteCase } from '../../suites/suite.js';
import { makePlanned, type PlanMaking } from '../calls/make-planned.js';
import { planCallsIn } from '../calls/plan-calls.js';
import type { Surroundings } from '../surroundings.js';

/** What the calls of one case are made with. */
export interface CallMaking extends Omit<PlanMaking, 'checks'> {
  readonly flags: CallFlags;
  /** With the webhooks registered. */
  readonly state: ClusterState;
  readonly surroundings: Surroundings;
}

/** Makes the calls of a case, asks what it wants to know besides, and answers what came of them. Throws CliError, and CaseSkip where there is no such case. */
export async function makeCalls(suiteCase: SuiteCase, making: CallMaking): Promise<CaseCall[]> {
  const { scenario, checks } = suiteCase;
  if (scenario !== undefined) {
    const { scenarioCalls } = await import('./scenario-calls.js');
    return scenarioCalls(scenario, checks, making);
  }
  const plan = await planCallsIn(making.state, making.flags, making.surroundings);
  return reported(await makePlanned(plan, { ...making, checks }));
}

/** What results keep of reports. What kubectl would print is made for those that show it: most cases pass. */
export function reported(reports: readonly CallReport[]): CaseCall[] {
  return reports.map(made => ({
    report: made.report,
    get kubectl() {
      return made.kubectl;
    },
    exchanges: made.exchanges,
    ...(made.findings.length === 0 ? {} : { findings: made.findings }),
  }));
}
