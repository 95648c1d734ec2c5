import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { showsPage } from '../../../reports/report-formats.js';
import { printable } from '../../../writers/printable.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { planOf } from '../../work/calls/created-pods.js';
import { recordPlanning } from '../../work/calls/planning.js';
import type { PreparedCalls } from '../../work/calls/prepared-calls.js';
import { type ReviewingFlags, type ReviewSurroundings, reviewResults } from '../../work/calls/review-calls.js';
import { printCalls } from '../../work/calls/threads/print-calls.js';
import type { PageFlags } from '../../work/calls/traced-calls.js';
import type { MakeEdited } from '../../work/edited-calls/print-editable.js';
import { isServedPage, maxEditable } from '../../work/live-page/served-page.js';
import { checkWebhookFlags } from '../../work/webhooks/cluster-webhooks.js';
import type { ForwardFlags } from '../../work/webhooks/forwarding.js';
import { callsDirectly } from './flags/direct-calls.js';
import { includes, renderingOf } from './flags/rendering.js';
import type { RenderingFlags, ReviewFlags, ReviewInputFlags } from './flags/review-flags.js';

/** Makes the calls of the flags, calls the webhooks, prints the report. */
export async function runReview(options: ReviewFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  const flags = options.forward === true ? forwarded(options, given) : options;
  if (flags.open === true && (flags.case !== undefined || flags.upgrade !== undefined)) {
    throw new CliError('usage', `--open has no effect with ${flags.case === undefined ? '--upgrade' : '--case'}`);
  }
  if (flags.case !== undefined) {
    const { printReviewCases } = await import('../../work/calls/print-cases.js');
    return printReviewCases({ ...flags, case: flags.case }, surroundings);
  }
  if (flags.upgrade !== undefined) {
    const { runUpgrade } = await import('./upgrade/run-upgrade.js');
    return runUpgrade({ ...flags, upgrade: flags.upgrade }, surroundings);
  }
  checkWebhookFlags(flags, given);
  if (flags.independent === true) {
    const { printFiles } = await import('./files/print-files.js');
    const exitCode = await printFiles(flags, surroundings);
    if (exitCode !== undefined) return exitCode;
  }
  const { surroundings: recorded, planning } = recordPlanning(surroundings);
  const prepared = await prepareReview(flags, recorded);
  if (!showsPage(flags)) return printCalls({ command: 'review', flags, prepared, planning }, surroundings);
  const again: MakeEdited = async (edited, from) => {
    const { planEdited } = await import('../../work/edited-calls/plan-edited.js');
    const made = await planEdited(edited, from, { flags, surroundings });
    return { part: made.part, results: reviewResults(made.plan, { ...made.flags, recordsSteps: true }, surroundings) };
  };
  const { printPage } = await import('../../work/edited-calls/print-page.js');
  return printPage(prepared.results(), { ...prepared, ...prepared.rendering, command: 'review', flags, again }, surroundings);
}

/** Calls through the API server are dry runs, unless the user has typed otherwise: a found file does not count. */
function forwarded<Flags extends Pick<ReviewFlags, 'dryRun'>>(flags: Flags, given: ReadonlySet<string>): Flags & ForwardFlags {
  const mayAct = given.has('dryRun') && flags.dryRun === 'none';
  return { ...flags, dryRun: mayAct ? 'none' : 'server', reviewsAreDryRuns: !mayAct };
}

type PreparedFlags = ReviewInputFlags & ReviewingFlags & RenderingFlags & PageFlags;

/** Reads and plans the calls of the flags, and prints warnings about them. Throws CliError. */
export async function prepareReview(flags: PreparedFlags, surroundings: Surroundings): Promise<PreparedCalls> {
  const plans = await planReviews(flags, surroundings);
  for (const warning of plans[0]?.warnings ?? []) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  const total = plans.reduce((sum, { steps }) => sum + steps.length, 0);
  const recordsSteps = showsPage(flags) || includes(flags, 'steps');
  const callsDemoDirectly = !recordsSteps && callsDirectly(flags, plans);
  const reviewing = { ...flags, recordsSteps, callsDemoDirectly, keptStates: isServedPage(flags, surroundings) ? maxEditable : 0 };
  return {
    total,
    whyOneThread: plans.length > 1 ? 'each operation is one plan' : undefined,
    results: part => makeReviews(plans, reviewing, { ...surroundings, part }),
    rendering: { ...renderingOf(flags, surroundings), isOnlyOne: total === 1 },
  };
}

/** With all checks, every object is created, updated and deleted, each time in the initial state. */
async function planReviews(flags: ReviewInputFlags & Pick<ReviewingFlags, 'check'>, surroundings: Surroundings): Promise<CallPlan[]> {
  const [file, another] = flags.filename ?? [];
  const isWhole = flags.check?.isAll === true && flags.operation === undefined && flags.call === undefined && flags.createdPods !== true;
  const others =
    isWhole && file !== undefined && file !== '-' && another === undefined
      ? (['update', 'delete'] as const).map(operation => ({ ...flags, operation, old: flags.old ?? file }))
      : [];
  const plans: CallPlan[] = [];
  for (const each of [flags, ...others]) plans.push(await planOf(each, surroundings));
  return plans;
}

async function* makeReviews(
  plans: readonly CallPlan[],
  flags: ReviewingFlags,
  surroundings: ReviewSurroundings,
): AsyncGenerator<StepResult> {
  for (const plan of plans) yield* reviewResults(plan, flags, surroundings);
}
