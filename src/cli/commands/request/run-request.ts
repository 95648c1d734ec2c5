import { CliError } from '../../../client/cli-error.js';
import type { InputFlags, PodOptions, ReproducingFlags } from '../../../client/options/call-options.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import { textStream } from '../../../reports/report-stream.js';
import { curlReport, requestReport } from '../../../reports/single-parts.js';
import { printable } from '../../../writers/printable.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { planOf } from '../../work/calls/created-pods.js';
import type { PlanningFlags } from '../../work/calls/plan-calls.js';
import { recordPlanning } from '../../work/calls/planning.js';
import { printCases } from '../../work/calls/print-cases.js';
import type { Answered } from '../../work/calls/rendered-results.js';
import { runUnsent } from '../../work/calls/run-unsent.js';
import type { JobsFlags } from '../../work/calls/shared-calls.js';
import { printCalls } from '../../work/calls/threads/print-calls.js';
import type { PageFlags } from '../../work/calls/traced-calls.js';
import type { EditableCalls } from '../../work/edited-calls/print-editable.js';
import type { ReadStateFlags } from '../../work/input/state.js';
import { isServedPage, maxEditable } from '../../work/live-page/served-page.js';
import { checkWebhookFlags, type RegisteredFlags } from '../../work/webhooks/cluster-webhooks.js';
import { checkConfigurations } from '../../work/webhooks/refused-configurations.js';
import { checkRegistrationFlags } from '../../work/webhooks/refused-registrations.js';
import { serviceAddresses } from '../../work/webhooks/services.js';
import { unsentCluster } from '../../work/webhooks/unsent-cluster.js';

/** Flags that decide which calls are made, in which state, with which webhooks. */
type PlannedRequestFlags = PlanningFlags & ReadStateFlags & PodOptions & RegisteredFlags & ReproducingFlags & PageFlags;

/** Flags of `request`. Functions take the part that they need; only the command itself has all. */
export type RequestFlags = PlannedRequestFlags & JobsFlags & Pick<InputFlags, 'case'> & { readonly fromReview?: string | undefined };

/** Prints the bodies that would be sent; the refusal of a call is printed to stderr. */
export async function runRequest(flags: RequestFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  checkOpen(flags);
  if (flags.case !== undefined) return printCases('request', { ...flags, case: flags.case }, surroundings);
  checkWebhookFlags({ ...flags, url: flags.url ?? (flags.demo === true ? undefined : '') }, withoutWebhook(given, flags));
  if (flags.fromReview !== undefined) {
    const { compareWithReviews } = await import('./from-review.js');
    return compareWithReviews(flags.fromReview, flags, surroundings);
  }
  const { surroundings: recorded, planning } = recordPlanning(surroundings);
  const prepared = await prepareRequest(flags, recorded);
  if (flags.open !== true) return printCalls({ command: 'request', flags, prepared, planning }, surroundings);
  const { printPage } = await import('../../work/edited-calls/print-page.js');
  return printPage(prepared.results(), { ...prepared, ...prepared.rendering, command: 'request', sendsNothing: true, flags }, surroundings);
}

/** Reads and plans the calls of the flags, and prints warnings about them. Throws CliError. */
export async function prepareRequest(flags: PlannedRequestFlags, surroundings: Surroundings): Promise<EditableCalls> {
  const plan = await planOf(flags, surroundings);
  for (const warning of plan.warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  await checkRegistrationFlags(flags);
  const state = unsentCluster(plan.state, flags, surroundings.cwd);
  if (flags.url === undefined && flags.demo !== true) await checkConfigurations(state);
  const mapped = serviceAddresses(flags.service ?? []);
  const registeredIn = (changed: ClusterState): ClusterState => unsentCluster(changed, flags, surroundings.cwd);
  const { seed, now, independent: isIndependent } = flags;
  const recordsSteps = flags.open === true;
  const options = { seed, now, mapped, recordsSteps, registeredIn, surroundings };
  const keptStates = isServedPage(flags, surroundings) ? maxEditable : 0;
  const print = flags.output === 'curl' ? curlReport : requestReport;
  const stream = textStream(({ report }: Answered) => print([report]), '');
  return {
    total: plan.steps.length,
    results: part => runUnsent(plan, state, { ...options, isIndependent, part, keptStates }),
    again: async (edited, from) => {
      const { planEdited } = await import('../../work/edited-calls/plan-edited.js');
      const made = await planEdited(edited, from, { flags, surroundings });
      return { part: made.part, results: runUnsent(made.plan, made.plan.state, { ...options, isIndependent: true }) };
    },
    rendering: { stream, showsBodies: true, showsRefusals: true },
  };
}

function checkOpen({ open, case: file, fromReview }: Pick<RequestFlags, 'open' | 'case' | 'fromReview'>): void {
  const other = file !== undefined ? '--case' : fromReview !== undefined ? '--from-review' : undefined;
  if (open === true && other !== undefined) throw new CliError('usage', `--open has no effect with ${other}`);
}

/** Here, `--phase` and other registration flags do not need `--url`. */
function withoutWebhook(given: ReadonlySet<string>, { url }: Pick<RequestFlags, 'url'>): ReadonlySet<string> {
  return url === undefined ? new Set([...given].filter(name => name !== 'webhook')) : given;
}
