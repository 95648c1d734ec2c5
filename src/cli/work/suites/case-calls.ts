import type { CallReport } from '../../../client/run/call-report.js';
import { sharedGetters } from '../../../go/shared-getters.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { CaseCall } from '../../../suites/results.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { PlanMaking } from '../calls/make-planned.js';
import type { PlanningFlags } from '../calls/plan-calls.js';

/** Context of the calls of one case. */
export interface CallMaking extends Omit<PlanMaking, 'checks'> {
  readonly flags: PlanningFlags;
  /** With the webhooks registered. */
  readonly state: ClusterState;
  readonly surroundings: Surroundings;
}

/** Returns the results of calls. kubectl's lines are lazy: most cases pass, and do not show them. */
export function reported(reports: readonly CallReport[]): CaseCall[] {
  return reports.map(made => {
    const findings = made.findings.length === 0 ? {} : { findings: made.findings };
    return withLines({ report: made.report, exchanges: made.exchanges, ...findings }, { kubectl: () => made.kubectl });
  });
}

const withLines = sharedGetters<Pick<CaseCall, 'kubectl'>>('kubectl');
