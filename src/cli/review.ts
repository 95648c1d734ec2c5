import path from 'node:path';
import type { CallWebhook } from '../kubernetes/webhook-call.js';
import type { CallReport } from '../reports/call-report.js';
import { type Format, formats } from '../reports/formats.js';
import { colourLevel, paletteOf } from '../reports/palette.js';
import { type Plan, planCalls } from './calls/plan.js';
import { runCalls } from './calls/run-calls.js';
import { checkCalls } from './checks/check-calls.js';
import { checkNamesOf } from './checks/check-names.js';
import { CliError } from './cli-error.js';
import { effectsFor, type Fixed } from './effects.js';
import { type ExitCode, exitCodeOfReports, exitCodes, gravestExitCode } from './exit-codes.js';
import type { CallFlags } from './flags/call-flags.js';
import type { WebhookFlags } from './flags/webhook-flags.js';
import type { Surroundings } from './surroundings.js';
import { checkWebhookFlags, connectionNotes } from './webhooks/cluster-webhooks.js';
import { openTransport } from './webhooks/connection.js';
import { openWebhooks } from './webhooks/open-webhooks.js';
import { requiredServiceAddresses } from './webhooks/services.js';

export type ReviewFlags = CallFlags &
  WebhookFlags & {
    readonly check?: string | undefined;
    readonly 'created-pods'?: boolean | undefined;
    readonly output?: string | undefined;
    readonly include?: string | undefined;
    readonly 'no-color'?: boolean | undefined;
  };

/** Makes the calls the flags ask for, calls the webhooks, prints the report. */
export async function runReview(flags: ReviewFlags, given: ReadonlySet<string>, surroundings: Surroundings): Promise<ExitCode> {
  if (flags.case !== undefined) return printReviewCases(flags.case, surroundings);
  refuseUnfinished(flags);
  checkNamesOf(flags.check);
  checkWebhookFlags(flags, given);
  const plan = await planCalls(flags, surroundings);
  for (const warning of plan.warnings) surroundings.stderr.write(`warning: ${warning}\n`);
  const webhooks = await openWebhooks(flags, surroundings);
  try {
    const reports = await reviewCalls({ ...plan, state: webhooks.registeredIn(plan.state) }, flags, surroundings);
    surroundings.stdout.write(printed(reports, flags, surroundings));
    const found = reports.some(({ findings }) => findings.length > 0) ? exitCodes.refused : exitCodes.allowed;
    return gravestExitCode([exitCodeOfReports(reports.map(({ report }) => report)), found]);
  } finally {
    await webhooks.close();
  }
}

async function printReviewCases(file: string, { cwd, stdout }: Surroundings): Promise<ExitCode> {
  const { runReviewCases } = await import('./cases/run-cases.js');
  await runReviewCases(path.resolve(cwd, file), line => stdout.write(line));
  return exitCodes.allowed;
}

function refuseUnfinished(flags: ReviewFlags): void {
  if (flags['created-pods'] === true)
    throw new CliError('not-there-yet', '--created-pods is not there yet', { suggestions: ['leave it out'] });
}

async function reviewCalls(plan: Plan, flags: ReviewFlags, surroundings: Surroundings): Promise<CallReport[]> {
  const transport = await openTransport(flags, surroundings.cwd);
  const serviceAddress = requiredServiceAddresses(flags.service ?? [], plan.state);
  const checks = checkNamesOf(flags.check);
  const fixed = checks.length === 0 ? flags : repeatable(flags, surroundings);
  const callSurroundings = {
    state: plan.state,
    callWebhook: transport.callWebhook,
    effects: (callWebhook: CallWebhook) => ({ ...effectsFor(callWebhook, fixed), serviceAddress }),
  };
  try {
    const reports = await runCalls(plan, { ...callSurroundings, notes: [...plan.notes, ...connectionNotes(flags)] });
    return checks.length === 0 ? reports : await checkCalls(checks, { calls: plan.calls, reports }, callSurroundings);
  } finally {
    await transport.close();
  }
}

/** Further questions differ from the call in nothing but what they ask. */
function repeatable({ seed, now }: ReviewFlags, surroundings: Surroundings): Fixed {
  return { seed: seed ?? Math.floor(surroundings.random() * 2 ** 32), now: now ?? surroundings.now() };
}

function printed(reports: readonly CallReport[], flags: ReviewFlags, { env, stdout }: Surroundings): string {
  const palette = paletteOf(colourLevel(env, { isTerminal: stdout.isTerminal, refused: flags['no-color'] ?? false }));
  return formats[formatOf(flags.output)](reports, { palette, withExchange: flags.include === 'exchange' });
}

function formatOf(name: string | undefined): Format {
  return name !== undefined && isFormat(name) ? name : 'text';
}

function isFormat(name: string): name is Format {
  return name in formats;
}
