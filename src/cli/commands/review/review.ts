import type { CallPlan } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { needsOf, showsPage, streamFormat } from '../../../reports/report-formats.js';
import { type ReportStream, reportStream } from '../../../reports/report-stream.js';
import { printable } from '../../../writers/printable.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { planOf } from '../../work/calls/created-pods.js';
import { recordPlanning } from '../../work/calls/planning.js';
import type { PreparedCalls } from '../../work/calls/prepared-calls.js';
import type { Answered, ResultRendering } from '../../work/calls/rendered-results.js';
import { reviewResults } from '../../work/calls/review-calls.js';
import { printCalls } from '../../work/calls/threads/print-calls.js';
import type { MakeEdited } from '../../work/edited-calls/print-editable.js';
import { isServedPage, maxEditable } from '../../work/live-page/served-page.js';
import { checkWebhookFlags } from '../../work/webhooks/cluster-webhooks.js';
import type { ReviewFlags } from './flags/review-flags.js';

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
    const exitCode = await printFiles(flags, renderingOf(flags, surroundings), surroundings);
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
function forwarded(flags: ReviewFlags, given: ReadonlySet<string>): ReviewFlags {
  const mayAct = given.has('dryRun') && flags.dryRun === 'none';
  return { ...flags, dryRun: mayAct ? 'none' : 'server', reviewsAreDryRuns: !mayAct };
}

/** Reads and plans the calls of the flags, and prints warnings about them. Throws CliError. */
export async function prepareReview(flags: ReviewFlags, surroundings: Surroundings): Promise<PreparedCalls> {
  const recordsSteps = showsPage(flags) || includes(flags, 'steps');
  const plans = await planReviews(
    { ...flags, recordsSteps, keptStates: isServedPage(flags, surroundings) ? maxEditable : 0 },
    surroundings,
  );
  for (const warning of plans[0]?.plan.warnings ?? []) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  const total = plans.reduce((sum, { plan }) => sum + plan.steps.length, 0);
  return {
    total,
    whyOneThread: plans.length > 1 ? 'each operation is one plan' : undefined,
    results: part => makeReviews(plans, surroundings, part),
    rendering: { ...renderingOf(flags, surroundings), isOnlyOne: total === 1 },
  };
}

/** Returns how the flags print results. */
export function renderingOf(flags: ReviewFlags, surroundings: Surroundings): ResultRendering {
  const stream = streamOf(flags, surroundings);
  return { stream: { ...stream, render: ({ report }: Answered) => stream.render(report) }, showsBodies: showsBodies(flags) };
}

function showsBodies(flags: ReviewFlags): boolean {
  return includes(flags, 'exchange') || needsOf(flags.output ?? 'text').showsBodies === true;
}

function includes({ include }: ReviewFlags, part: 'exchange' | 'steps'): boolean {
  return include?.includes(part) === true;
}

interface PlannedReview {
  readonly flags: ReviewFlags;
  readonly plan: CallPlan;
}

/** With all checks, every object is created, updated and deleted, each time in the initial state. */
async function planReviews(flags: ReviewFlags, surroundings: Surroundings): Promise<PlannedReview[]> {
  const [file, another] = flags.filename ?? [];
  const isWhole = flags.check?.isAll === true && flags.operation === undefined && flags.call === undefined && flags.createdPods !== true;
  const others =
    isWhole && file !== undefined && file !== '-' && another === undefined
      ? (['update', 'delete'] as const).map(operation => ({ ...flags, operation, old: flags.old ?? file }))
      : [];
  const plans: PlannedReview[] = [];
  for (const each of [flags, ...others]) plans.push({ flags: each, plan: await planOf(each, surroundings) });
  return plans;
}

async function* makeReviews(
  plans: readonly PlannedReview[],
  surroundings: Surroundings,
  part: Iterable<number> | undefined,
): AsyncGenerator<StepResult> {
  for (const { flags, plan } of plans) yield* reviewResults(plan, flags, { ...surroundings, part });
}

function streamOf(flags: ReviewFlags, { env, stdout }: Surroundings): ReportStream {
  const palette = terminalPalette(flags, { env, stdout });
  return reportStream(streamFormat(flags.output), {
    palette,
    withExchange: includes(flags, 'exchange'),
    withSteps: includes(flags, 'steps'),
  });
}
