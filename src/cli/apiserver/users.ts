import { randomBytes } from 'node:crypto';
import { CliError } from '../../client/cli-error.js';
import type { TokenUser } from '../../local-apiserver/cluster.js';

/** The user that the kubeconfig names first, with a token of its own. */
export function adminUser(): TokenUser {
  return { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'], token: newToken() };
}

/** The administrator, and the users of `--token` and `--as`. Throws CliError. */
export function usersOf(flags: {
  readonly token?: readonly string[] | undefined;
  readonly as?: readonly string[] | undefined;
}): TokenUser[] {
  const named = (flags.token ?? []).map(text => {
    const at = text.indexOf('=');
    if (at <= 0 || at === text.length - 1) throw new CliError('usage', `invalid --token ${JSON.stringify(text)}: expected NAME=TOKEN`);
    return userNamed(text.slice(0, at), text.slice(at + 1));
  });
  return [adminUser(), ...named, ...(flags.as ?? []).map(name => userNamed(name, newToken()))];
}

function userNamed(username: string, token: string): TokenUser {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username);
  const own = account === null ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`];
  return { username, token, groups: [...own, 'system:authenticated'] };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
