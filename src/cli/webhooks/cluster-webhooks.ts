import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ClusterState } from '../../kubernetes/api-call.js';
import { CliError } from '../cli-error.js';
import type { WebhookFlags } from '../flags/webhook-flags.js';
import { readInputFile } from '../input/files.js';
import type { Surroundings } from '../surroundings.js';
import { isConfiguration, isPolicyObject, withCaBundle, withOnlyWebhooks } from './configurations.js';
import { configurationOf, type Registration, urlRegistrations } from './registration.js';

/** Flags that describe the webhook of `--url`, and mean nothing without it. */
const registrationFlags = [
  'phase',
  'timeout',
  'failure-policy',
  'side-effects',
  'review-versions',
  'reinvocation-policy',
  'match-condition',
];

/** Refuses flags that contradict each other or would go unheard. `given` are those on the command line. */
export function checkWebhookFlags(flags: WebhookFlags, given: ReadonlySet<string>): void {
  if (flags.url !== undefined && flags.demo === true) throw new CliError('usage', '--url and --demo are two answers to one question');
  const unheard = flags.url === undefined ? registrationFlags.find(name => given.has(name)) : undefined;
  if (unheard !== undefined) throw new CliError('usage', `--${unheard} describes the webhook of --url, which is not given`);
  const chosen = flags.url !== undefined ? '--url' : flags.demo === true ? '--demo' : undefined;
  if (chosen !== undefined && given.has('webhook'))
    throw new CliError('usage', `--webhook chooses among the webhooks of the state, and ${chosen} is none of them`);
}

/** The state with one webhook instead of all its configurations. */
export function withRegistrations(state: ClusterState, registrations: readonly Registration[], flags: WebhookFlags): ClusterState {
  const others = state.objects.filter(object => !isConfiguration(object));
  return { ...state, objects: [...others, ...registrations.map(registration => configurationOf(registration, flags))] };
}

/** The state with the webhook of `--url`. */
export function withUrl(
  state: ClusterState,
  url: string,
  { flags, cwd }: { readonly flags: WebhookFlags; readonly cwd: string },
): ClusterState {
  return withRegistrations(state, urlRegistrations(flags, url, authorityOf(flags, cwd)), flags);
}

/** The state with its own configurations, as `--webhook` and `--ca-file` want them. Undefined when it has none, and no policies. */
export function withOwnConfigurations(
  state: ClusterState,
  { flags, cwd }: { readonly flags: WebhookFlags; readonly cwd: string },
): ClusterState | undefined {
  const chosen = flags.webhook === undefined ? state.objects : withOnlyWebhooks(state.objects, flags.webhook);
  if (!chosen.some(object => isConfiguration(object) || isPolicyObject(object))) return undefined;
  const file = flags['ca-file'];
  return { ...state, objects: file === undefined ? chosen : withCaBundle(chosen, textOf(file, cwd)) };
}

/** What the cluster would say about the ways a webhook is reached here. */
export function connectionNotes(flags: Pick<WebhookFlags, 'url' | 'insecure-skip-tls-verify'>): string[] {
  const notes: string[] = [];
  if (flags.url?.startsWith('http:') === true) notes.push('the API server refuses a webhook that is not called by https');
  if (flags['insecure-skip-tls-verify'] === true) notes.push("the webhook's certificate was not checked, as every API server does");
  return notes;
}

/** `--ca-file`, else what `certs create` left in the working folder, else the machine's own roots. */
export function authorityOf(flags: Pick<WebhookFlags, 'ca-file'>, cwd: string): string | undefined {
  const file = flags['ca-file'];
  if (file !== undefined) return textOf(file, cwd);
  const made = path.join('certs', 'ca.crt');
  return existsSync(path.resolve(cwd, made)) ? textOf(made, cwd) : undefined;
}

function textOf(file: string, cwd: Surroundings['cwd']): string {
  return Buffer.from(readInputFile(file, cwd)).toString('utf8');
}
