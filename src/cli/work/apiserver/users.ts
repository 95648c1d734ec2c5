import { randomBytes } from 'node:crypto';
import { CliError } from '../../../client/cli-error.js';
import type { TokenUser } from '../../../local-apiserver/access/token-users.js';
import { readInputFile } from '../input/files.js';
import type { GivenToken, UserFile } from './user-values.js';

/** Flags that name users. */
export interface UserFlags {
  readonly token?: readonly GivenToken[] | undefined;
  readonly as?: readonly string[] | undefined;
  readonly kubeconfigFor?: readonly UserFile[] | undefined;
}

/** The user that the kubeconfig names first, with a token of its own. */
export function adminUser(): TokenUser {
  return { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'], token: newToken() };
}

/**
 * The administrator, and the users of `--token`, `--as` and `--kubeconfig-for`, each once. Command lines are visible to other users of the machine: `@` reads the
 * token from a file. Throws CliError.
 */
export function usersOf({ token = [], as = [], kubeconfigFor = [] }: UserFlags, cwd: string): TokenUser[] {
  const named = token.map(({ name, token: given }) => userNamed(name, given.startsWith('@') ? tokenIn(given.slice(1), cwd) : given));
  const users = [adminUser(), ...named, ...as.map(name => userNamed(name, newToken()))];
  const others = new Set(kubeconfigFor.map(({ user }) => user).filter(user => !users.some(({ username }) => username === user)));
  return [...users, ...[...others].map(name => userNamed(name, newToken()))];
}

function tokenIn(file: string, cwd: string): string {
  const token = Buffer.from(readInputFile(file, cwd)).toString('utf8').trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError('usage', 'invalid --token: expected one line with the token', { location: { file } });
}

function userNamed(username: string, token: string): TokenUser {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(username);
  const own = account === null ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`];
  return { username, token, groups: [...own, 'system:authenticated'] };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}
