import type { CallStep } from '../../../client/calls/call-step.js';
import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { CallReport } from '../../../client/run/call-report.js';
import type { CaseCall } from '../../../suites/results.js';
import { stepText } from '../../../suites/run/steps.js';
import type { SuiteCase, SuiteStep } from '../../../suites/suite.js';
import { makePlannedSteps } from '../calls/make-planned.js';
import { planCallsIn } from '../calls/plan-calls.js';
import { type CallMaking, reported } from './case-calls.js';

/**
 * Makes the calls of the steps of a case in order, each in the state that the calls before it left, also of earlier steps. All steps are
 * made, even if one is refused. Throws CliError, which names the step.
 */
export async function stepCalls(steps: readonly SuiteStep[], checks: SuiteCase['checks'], making: CallMaking): Promise<CaseCall[]> {
  const { plan, owners } = await planOf(steps, making);
  const results = makePlannedSteps(making.against?.ofOwnUser(plan) ?? plan, { ...making, checks });
  const calls: CaseCall[] = [];
  let made = 0;
  for await (const result of results) {
    const owner = owners[made];
    made += 1;
    if (owner === undefined) throw new Error('a result without a step');
    if (result.outcome === 'unusable') throw errorOf(owner, result.error);
    if (result.outcome === 'answered') calls.push(...callsOf(result.report, owner));
  }
  const idle = steps.findIndex((_, i) => !calls.some(({ step }) => step?.number === i + 1));
  const step = steps[idle];
  if (step !== undefined) throw errorOf({ ...step, number: idle + 1 }, new CliError('no-objects', 'the step makes no call'));
  return calls;
}

type NumberedStep = SuiteStep & Pick<NonNullable<CaseCall['step']>, 'number'>;

/** Returns one plan for all steps, and the step of each of its calls. */
async function planOf(
  steps: readonly SuiteStep[],
  making: CallMaking,
): Promise<{ readonly plan: CallPlan; readonly owners: readonly NumberedStep[] }> {
  const [planned, owners, notes]: [CallStep[], NumberedStep[], string[]] = [[], [], []];
  let { state } = making;
  for (const [i, given] of steps.entries()) {
    const step = { ...given, number: i + 1 };
    const plan = await nameStepInErrors(step, () => planCallsIn(state, { ...making.flags, ...step.options }, making.surroundings));
    state = plan.state;
    planned.push(...plan.steps);
    owners.push(...plan.steps.map(() => step));
    notes.push(...plan.notes);
  }
  return { plan: { steps: planned, state, notes: [...new Set(notes)], warnings: [] }, owners };
}

function callsOf(report: CallReport, { number, name }: NumberedStep): CaseCall[] {
  // Properties of these objects may be lazy: a copy would read them.
  return reported([report]).map(call => Object.assign(call, { step: { number, name } }));
}

async function nameStepInErrors<T>(step: NumberedStep, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof CliError ? errorOf(step, error) : error;
  }
}

function errorOf(step: NumberedStep, { code, message, location, suggestions, cause }: CliError): CliError {
  return new CliError(code, `${stepText(step)}: ${message}`, { location: location ?? step.place, suggestions, cause });
}
