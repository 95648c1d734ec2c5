import type { ClusterState } from '../kubernetes/api-call.js';
import { curlReport, requestReport } from '../reports/single-parts.js';
import { planOf } from './calls/created-pods.js';
import { runUnsent } from './calls/run-unsent.js';
import { printCases } from './cases/print-cases.js';
import { CliError } from './cli-error.js';
import { type ExitCode, exitCodeOfReports } from './exit-codes.js';
import type { CallFlags } from './flags/call-flags.js';
import type { WebhookFlags } from './flags/webhook-flags.js';
import type { Surroundings } from './surroundings.js';
import { checkWebhookFlags, withOwnConfigurations, withRegistrations, withUrl } from './webhooks/cluster-webhooks.js';
import { phasesOf, urlWebhookName } from './webhooks/registration.js';
import { serviceAddresses } from './webhooks/services.js';

export type RequestFlags = CallFlags &
  WebhookFlags & { readonly 'created-pods'?: boolean | undefined; readonly output?: string | undefined };

/** Prints the bodies that would be sent; a call that is refused before or between them prints why to stderr. */
export async function runRequest(flags: RequestFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.case !== undefined) return printCases('request', { ...flags, case: flags.case }, surroundings);
  if (flags.demo === true)
    throw new CliError('usage', 'request sends nothing, so --demo has nothing to answer', { suggestions: ['leave it out', 'use review'] });
  checkWebhookFlags({ ...flags, url: flags.url ?? '' }, withoutWebhook(given, flags));
  const plan = await planOf(flags, surroundings);
  for (const warning of plan.warnings) surroundings.stderr.write(`warning: ${warning}\n`);
  const state = clusterOf(plan.state, flags, surroundings.cwd);
  const mapped = serviceAddresses(flags.service ?? []);
  const reports = await runUnsent(plan, state, { seed: flags.seed, now: flags.now, mapped });
  surroundings.stdout.write(flags.output === 'curl' ? curlReport(reports) : requestReport(reports));
  for (const made of reports) if (!made.report.decision.allowed) surroundings.stderr.write(`${made.kubectl.join('\n')}\n`);
  return exitCodeOfReports(reports.map(({ report }) => report));
}

/** `--phase` and the like describe a webhook here even without `--url`. */
function withoutWebhook(given: ReadonlySet<string>, { url }: RequestFlags): ReadonlySet<string> {
  return url === undefined ? new Set([...given].filter(name => name !== 'webhook')) : given;
}

function clusterOf(state: ClusterState, flags: RequestFlags, cwd: string): ClusterState {
  if (flags.url !== undefined) return withUrl(state, flags.url, { flags, cwd });
  const own = withOwnConfigurations(state, { flags, cwd });
  return (
    own ??
    withRegistrations(
      state,
      phasesOf(flags).map(phase => ({ phase, webhook: urlWebhookName, url: nowhere, caBundle: undefined })),
      flags,
    )
  );
}

/** The address of a webhook that is only talked about. */
const nowhere = 'https://webhook.example.com/';
