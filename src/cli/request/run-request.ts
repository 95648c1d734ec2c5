import { CliError } from '../../client/cli-error.js';
import type { CallOptions } from '../../client/options/call-options.js';
import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { printable } from '../../reports/printable.js';
import { textStream } from '../../reports/report-stream.js';
import { curlReport, requestReport } from '../../reports/single-parts.js';
import { planOf } from '../calls/created-pods.js';
import type { PreparedCalls } from '../calls/prepared-calls.js';
import type { Answered } from '../calls/rendered-results.js';
import { runUnsent } from '../calls/run-unsent.js';
import { recordPlanning } from '../calls/threads/planning.js';
import { printCalls } from '../calls/threads/print-calls.js';
import type { JobsFlags } from '../calls/threads/shared-calls.js';
import type { ExitCode } from '../exit-codes.js';
import { printCases } from '../print-cases.js';
import type { Surroundings } from '../surroundings.js';
import type { PageFlags } from '../traced-calls.js';
import { checkWebhookFlags } from '../webhooks/cluster-webhooks.js';
import { checkConfigurations } from '../webhooks/refused-configurations.js';
import { checkRegistrationFlags } from '../webhooks/refused-registrations.js';
import { serviceAddresses } from '../webhooks/services.js';
import { unsentCluster } from '../webhooks/unsent-cluster.js';

export type RequestFlags = CallOptions &
  WebhookOptions &
  JobsFlags &
  PageFlags & {
    readonly createdPods?: boolean | undefined;
    readonly fromReview?: string | undefined;
  };

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
  const { printTraced } = await import('../traced-calls.js');
  return printTraced(prepared.results(), { ...prepared, ...prepared.rendering, command: 'request', flags }, surroundings);
}

/** Reads and plans the calls of the flags, and prints warnings about them. Throws CliError. */
export async function prepareRequest(flags: RequestFlags, surroundings: Surroundings): Promise<PreparedCalls> {
  const plan = await planOf(flags, surroundings);
  for (const warning of plan.warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
  await checkRegistrationFlags(flags);
  const state = unsentCluster(plan.state, flags, surroundings.cwd);
  if (flags.url === undefined && flags.demo !== true) await checkConfigurations(state);
  const mapped = serviceAddresses(flags.service ?? []);
  const registeredIn = (changed: ClusterState): ClusterState => unsentCluster(changed, flags, surroundings.cwd);
  const { seed, now, independent: isIndependent } = flags;
  const recordsSteps = flags.open === true;
  const print = flags.output === 'curl' ? curlReport : requestReport;
  const stream = textStream(({ report }: Answered) => print([report]), '');
  return {
    total: plan.steps.length,
    results: part => runUnsent(plan, state, { seed, now, mapped, isIndependent, part, recordsSteps, registeredIn, surroundings }),
    rendering: { stream, showsBodies: true, showsRefusals: true },
  };
}

function checkOpen({ open, case: file, fromReview }: RequestFlags): void {
  const other = file !== undefined ? '--case' : fromReview !== undefined ? '--from-review' : undefined;
  if (open === true && other !== undefined) throw new CliError('usage', `--open has no effect with ${other}`);
}

/** Here, `--phase` and other registration flags do not need `--url`. */
function withoutWebhook(given: ReadonlySet<string>, { url }: RequestFlags): ReadonlySet<string> {
  return url === undefined ? new Set([...given].filter(name => name !== 'webhook')) : given;
}
