import { writeValue } from '../../encoding/go-json.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import type { ValueMap } from '../../kubernetes/value.js';
import type { ClientCommand } from '../../reports/kubectl-lines.js';
import type { CallFlags } from '../flags/call-flags.js';
import type { Manifest } from '../input/manifests.js';
import type { Target } from './target.js';
import { userOf } from './user.js';

/** A call and the command of kubectl that makes it. */
export interface PlannedCall {
  readonly call: ApiCall;
  readonly command: ClientCommand | undefined;
  /** What was presumed about this call, for its report. */
  readonly notes?: readonly string[] | undefined;
}

/** What kubectl of the reproduced version calls itself. */
const userAgent = 'kubectl/v1.36.3 (linux/amd64) kubernetes/0000000';

/** What the API server learns of the client: kubectl, and its user. */
export function clientOf(flags: CallFlags): Pick<ApiCall, 'userAgent' | 'user'> {
  return { userAgent, user: userOf(flags) };
}

/** The command that makes a call of a manifest. */
export function commandOf(
  verb: ClientCommand['verb'],
  { source }: Manifest,
  { target, flags }: { readonly target: Target; readonly flags: CallFlags },
): ClientCommand {
  const { kind, name, namespace } = target;
  const force = flags.force === true && flags['grace-period'] === 0;
  return { verb, source, kind, name, namespace, dryRun: flags['dry-run'] === 'server', force };
}

/** A body as kubectl encodes what it read from a file: keys sorted. */
export function bodyOf(object: ValueMap): Uint8Array {
  return encoded(writeValue(object, 'sorted'));
}

/** JSON as a client's encoder ends it. */
export function encoded(json: string): Uint8Array {
  return Buffer.from(`${json}\n`);
}

/** `dryRun` of the query. */
export function dryRunOf(flags: CallFlags): string | undefined {
  return flags['dry-run'] === 'server' ? 'All' : undefined;
}

/** `timeout` of the query, from `--request-timeout`. */
export function requestTimeout(flags: CallFlags & { readonly 'request-timeout'?: number | undefined }): string | undefined {
  const ms = flags['request-timeout'];
  return ms === undefined ? undefined : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
