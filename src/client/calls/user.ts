import type { RequestedUser } from '../../kubernetes/api-call.js';
import { CliError, invalidFlag } from '../cli-error.js';
import type { CallOptions } from '../options/call-options.js';

/** Returns the user of the `--as` flags; undefined: the administrator of a kubeconfig file. */
export function userOf(flags: CallOptions): RequestedUser | undefined {
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

function extraOf(pairs: readonly string[]): Record<string, string[]> {
  const extra: Record<string, string[]> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw invalidFlag('as-user-extra', pair, 'KEY=VALUE');
    const key = pair.slice(0, at);
    extra[key] = [...(extra[key] ?? []), pair.slice(at + 1)];
  }
  return extra;
}
