import type { CapturedReview } from '../../apiserver/replay-review.js';
import { groupedValues } from '../../go/grouped-values.js';
import { writeValue } from '../../go/json/write.js';
import type { ValueMap } from '../../go/value.js';
import type { ApiCall, RequestedUser } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { pathWord } from '../../writers/shell.js';
import { CliError } from '../cli-error.js';
import type { ClientCommand } from '../kubectl-lines.js';
import type { Manifest } from '../manifests/manifests.js';
import type { DeletionFlags, ImpersonationFlags, WriteFlags } from '../options/call-options.js';
import type { Pair } from '../options/pair-values.js';
import type { WebhookFlagOptions } from '../options/webhook-options.js';
import { objectPath } from './call-path.js';
import type { Target } from './target.js';

/** A call, and the kubectl command that makes it. */
export interface PlannedCall {
  readonly call: ApiCall;
  readonly command: ClientCommand | undefined;
  /** Review to send as it is, instead of one made for the call. */
  readonly captured?: CapturedReview | undefined;
  /** Assumptions about this call, for its report. */
  readonly notes?: readonly string[] | undefined;
}

/** Returns kubectl's User-Agent. */
function userAgent(server: ApiServer): string {
  return `kubectl/${server.release} (linux/amd64) kubernetes/0000000`;
}

/** Returns the client's part of a call: User-Agent and user. */
export function clientOf(server: ApiServer, user: ImpersonationFlags): Pick<ApiCall, 'userAgent' | 'user'> {
  return { userAgent: userAgent(server), user: userOf(user) };
}

/** What every call takes of its client: the user, and what the command says again. */
export type ClientFlags = ImpersonationFlags & CommandFlags;

/** `--dry-run` of the client. */
export type DryRunFlag = Pick<WriteFlags, 'dryRun'>;

/** `--request-timeout` of the client. */
export type RequestTimeoutFlag = Pick<WebhookFlagOptions, 'requestTimeoutMs'>;

type CommandFlags = Pick<WriteFlags, 'dryRun' | 'saveConfig'> & Pick<DeletionFlags, 'force' | 'gracePeriodSeconds'>;

/** Returns the kubectl command that makes a call. Throws CliError for a flag that it does not have. */
export function commandOf(
  verb: ClientCommand['verb'],
  manifest: Manifest,
  { target, flags }: { readonly target: Target; readonly flags: CommandFlags },
): ClientCommand {
  const { kind, name, namespace } = target;
  if (flags.saveConfig === true && target.subresource !== '')
    throw new CliError('usage', '--save-config cannot be used with --subresource');
  const dryRun = flags.dryRun === 'server';
  const force = flags.force === true && flags.gracePeriodSeconds === 0;
  const words = [
    ...[...verbWords(verb), '-f', fileWord(manifest)],
    ...(flags.saveConfig === true ? ['--save-config'] : []),
    ...(dryRun ? ['--dry-run=server'] : []),
    ...(force ? ['--grace-period=0', '--force'] : []),
  ];
  return {
    ...{ verb, source: manifest.source, kind, name, namespace, dryRun, force, words },
    ...subresourceWords(verb, manifest, { target, dryRun }),
  };
}

/** Subresources that kubectl accepts with `--subresource`. Source: kubectl cmd/replace/replace.go. */
const kubectlSubresources = ['status', 'scale', 'resize'];

/** Other subresources need `--raw` with a path. */
function subresourceWords(
  verb: ClientCommand['verb'],
  manifest: Manifest,
  { target, dryRun }: { readonly target: Target; readonly dryRun: boolean },
): Partial<Pick<ClientCommand, 'verb' | 'words'>> {
  if (target.subresource === '') return {};
  if ((verb === 'create' || verb === 'replace') && !kubectlSubresources.includes(target.subresource)) {
    return { verb: 'raw', words: [verb, '--raw', objectPath(target, manifest), '-f', fileWord(manifest)] };
  }
  const words = [
    ...verbWords(verb),
    '--subresource',
    target.subresource,
    '-f',
    fileWord(manifest),
    ...(dryRun ? ['--dry-run=server'] : []),
  ];
  return { words };
}

function verbWords(verb: ClientCommand['verb']): readonly string[] {
  return verb === 'apply' ? ['apply', '--server-side'] : verb.split(' ');
}

function fileWord({ source }: Manifest): string {
  return source === 'STDIN' ? '-' : pathWord(source);
}

/** Returns the flag of the namespace for a kubectl command. */
export function namespaceWords({ namespace }: Pick<Target, 'namespace'>): readonly string[] {
  return namespace === '' ? [] : ['-n', namespace];
}

/** Encodes a body as kubectl does: with sorted keys. */
export function bodyOfPlanned(object: ValueMap): Uint8Array {
  return encoded(writeValue(object, 'sorted'));
}

/** Adds the newline of Go's JSON encoder. */
export function encoded(json: string): Uint8Array {
  return Buffer.from(`${json}\n`);
}

/** Returns `dryRun` of the query. */
export function dryRunOfPlanned(flags: DryRunFlag): string | undefined {
  return flags.dryRun === 'server' ? 'All' : undefined;
}

/** Returns `timeout` of the query, from `--request-timeout`. */
export function requestTimeout({ requestTimeoutMs: ms }: RequestTimeoutFlag): string | undefined {
  return ms === undefined ? undefined : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

/** Returns the user of the `--as` flags; undefined: the administrator of a kubeconfig file. Throws CliError. */
export function userOf(flags: ImpersonationFlags): RequestedUser | undefined {
  const groups = flags.asGroup;
  const extra = flags.asUserExtra;
  if (flags.as === undefined) {
    if (flags.asUid === undefined && groups === undefined && extra === undefined) return undefined;
    throw new CliError('usage', 'requesting uid, groups or user-extra without impersonating a user', {
      suggestions: ['pass --as NAME'],
    });
  }
  return { username: flags.as, uid: flags.asUid, groups, extra: extra === undefined ? undefined : extraOf(extra) };
}

function extraOf(pairs: readonly Pair[]): Readonly<Record<string, string[]>> {
  return groupedValues(pairs.map(({ key, value }) => [key, value] as const));
}
