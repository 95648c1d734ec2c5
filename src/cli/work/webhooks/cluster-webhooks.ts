import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { flagName, optionMemberOf } from '../../../client/options/option-names.js';
import { type RegistrationFlags, registrationOptions, type WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { ClusterState } from '../../../kubernetes/api-call.js';
import type { ClusterFlags } from '../cluster/cluster-flags.js';
import { readFoundInput } from '../input/files.js';
import { isConfiguration, isPolicyObject, withCaBundle, withOnlyWebhooks } from './configurations.js';
import { readBundle } from './connection-files.js';
import { configurationOf, type Registration, urlRegistrations } from './registration.js';

/** What decides which webhooks of a state are called. */
export type OwnWebhooksFlags = Pick<WebhookFlagOptions, 'webhook' | 'caFile' | 'service'>;

/** What describes the webhook of `--url` in a configuration. */
type UrlWebhookFlags = RegistrationFlags & Pick<WebhookFlagOptions, 'caFile' | 'allowHttp'>;

/** What decides which webhooks are registered: those of a state, the embedded one, or that of `--url`. */
export type RegisteredFlags = OwnWebhooksFlags & UrlWebhookFlags & Pick<WebhookFlagOptions, 'url' | 'demo'>;

/** Throws CliError for contradictory flags, and for flags without effect. `given` are the options on the command line. */
export function checkWebhookFlags(
  flags: Pick<WebhookFlagOptions, 'url' | 'demo'> & Pick<ClusterFlags, 'forward'>,
  given: ReadonlySet<string>,
): void {
  if (flags.url !== undefined && flags.demo === true) throw new CliError('usage', '--url and --demo are mutually exclusive');
  const unheard =
    flags.url === undefined
      ? Object.entries(registrationOptions).find(([name, option]) => given.has(optionMemberOf(name, option)))
      : undefined;
  if (unheard !== undefined) throw new CliError('usage', `--${flagName(unheard[0])} has no effect without --url`);
  const chosen = flags.url !== undefined ? '--url' : flags.demo === true ? '--demo' : undefined;
  if (chosen !== undefined && flags.forward === true)
    throw new CliError('usage', `--forward calls the webhooks of the cluster, and has no effect with ${chosen}`);
  if (chosen !== undefined && given.has('webhook')) throw new CliError('usage', `--webhook has no effect with ${chosen}`);
}

/** Replaces all webhook configurations of a state. */
export function withRegistrations(state: ClusterState, registrations: readonly Registration[], flags: RegistrationFlags): ClusterState {
  const others = state.objects.filter(object => !isConfiguration(object));
  return { ...state, objects: [...others, ...registrations.map(registration => configurationOf(registration, flags))] };
}

/** Replaces all webhook configurations of a state by the webhook of `--url`. */
export function withUrl(
  state: ClusterState,
  url: string,
  { flags, cwd }: { readonly flags: UrlWebhookFlags; readonly cwd: string },
): ClusterState {
  return withRegistrations(state, urlRegistrations(flags, url, authorityOf(flags, cwd)), flags);
}

/** Applies `--webhook` and `--ca-file` to the state's own webhook configurations. Undefined when it has none. */
export function withOwnConfigurations(
  state: ClusterState,
  { flags, cwd }: { readonly flags: OwnWebhooksFlags; readonly cwd: string },
): ClusterState | undefined {
  const chosen = flags.webhook === undefined ? state.objects : withOnlyWebhooks(state.objects, flags.webhook);
  if (!chosen.some(object => isConfiguration(object) || isPolicyObject(object))) return undefined;
  const file = flags.caFile;
  return { ...state, objects: file === undefined ? chosen : withCaBundle(chosen, readBundle('ca-file', file, cwd, mappedServices(flags))) };
}

function mappedServices({ service = [] }: OwnWebhooksFlags): string[] {
  return service.filter(({ namespace, name }) => namespace !== '*' && name !== '*').map(({ namespace, name }) => `${namespace}/${name}`);
}

/** Returns notes about connections that an API server would not make. */
export function connectionNotes(flags: Pick<WebhookFlagOptions, 'url' | 'insecureSkipTlsVerify'>): string[] {
  const notes: string[] = [];
  if (flags.url?.startsWith('http:') === true) notes.push('the API server rejects webhooks that do not use https');
  if (flags.insecureSkipTlsVerify === true) notes.push("the webhook's certificate was not verified; every API server verifies it");
  return notes;
}

/** Reads the CA of `--ca-file`, else that of `certs create` in ./certs; undefined: the system's roots. */
export function authorityOf(flags: Pick<WebhookFlagOptions, 'caFile'>, cwd: string): Uint8Array | undefined {
  const file = flags.caFile;
  if (file !== undefined) return readBundle('ca-file', file, cwd);
  const made = path.join('certs', 'ca.crt');
  return existsSync(path.resolve(cwd, made)) ? readFoundInput(made, cwd) : undefined;
}
