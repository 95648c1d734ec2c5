import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { CaseCall } from '../../../suites/results.js';
import type { SuiteCase } from '../../../suites/suite.js';
import { makePlanned } from '../calls/make-planned.js';
import { planCallsIn } from '../calls/plan-calls.js';
import { type CallMaking, reported } from './case-calls.js';

/** Makes the calls of a case and runs its checks. Throws CliError, and CaseSkip for a scenario that the kind does not have. */
export async function makeCalls(suiteCase: SuiteCase, making: CallMaking): Promise<CaseCall[]> {
  const { scenario, steps, checks } = suiteCase;
  if (scenario !== undefined) {
    const { makeScenarioCalls } = await import('./scenario-calls.js');
    return makeScenarioCalls(scenario, checks, making);
  }
  if (steps !== undefined) {
    const { stepCalls } = await import('./step-calls.js');
    return stepCalls(steps, checks, making);
  }
  const plan = await planOfCase(suiteCase, making);
  // Dry runs on a cluster leave nothing behind.
  const isIndependent = making.flags.independent === true || making.against !== undefined;
  const reports = await makePlanned(making.against?.ofOwnUser(plan) ?? plan, { ...making, checks, isIndependent });
  if (reports.length === 0)
    throw new CliError('no-objects', 'the case creates no pods', {
      suggestions: ['pass a Deployment, ReplicaSet, StatefulSet, DaemonSet, Job or CronJob that requests pods'],
    });
  return reported(reports);
}

function planOfCase({ options }: SuiteCase, making: CallMaking): Promise<CallPlan> {
  if (options.createdPods === true) return planCreatedPods(making);
  return planCallsIn(making.state, making.flags, making.surroundings);
}

async function planCreatedPods(making: CallMaking): Promise<CallPlan> {
  const { planCreatedPodsIn } = await import('../calls/created-pods.js');
  return planCreatedPodsIn(making.state, making.flags, making.surroundings);
}
