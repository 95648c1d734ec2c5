import type { CaseCall } from '../../suites/results.js';
import type { SuiteCase } from '../../suites/suite.js';
import { makePlanned } from '../calls/make-planned.js';
import { planCallsIn } from '../calls/plan-calls.js';
import { type CallMaking, reported } from './case-calls.js';

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
