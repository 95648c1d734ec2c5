import { quote } from '../../go/quote.js';
import type { RequestedUser, UserInfo } from '../../kubernetes/api-call.js';
import { badRequest } from '../../kubernetes/status-errors.js';

/**
 * Returns the user info of an impersonated user: groups added, keys of `extra` lower-cased and sorted. Source: apiserver
 * endpoints/filters/impersonation.go.
 */
export function userInfoOf(user: RequestedUser | undefined): UserInfo {
  if (user === undefined || saysNothing(user))
    return { username: 'kubernetes-admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() };
  return { username: user.username, uid: user.uid ?? '', groups: groupsOf(user), extra: extraOf(user.extra ?? {}) };
}

/** Throws a 400 for an impersonated user without a name. */
export function checkImpersonation(user: RequestedUser | undefined): void {
  if (user === undefined || user.username !== '' || saysNothing(user)) return;
  const groups = printedList(user.groups);
  const extra = Object.entries(user.extra ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const printedExtra =
    extra.length === 0 ? '(nil)' : `{${extra.map(([key, values]) => `${quote(key.toLowerCase())}:${printedList(values)}`).join(', ')}}`;
  const info = `&user.DefaultInfo{Name:"", UID:${quote(user.uid ?? '')}, Groups:${groups}, Extra:map[string][]string${printedExtra}}`;
  throw badRequest(`requested ${info} without impersonating a user name`);
}

/** Reports whether no user is impersonated. */
function saysNothing({ username, uid, groups, extra }: RequestedUser): boolean {
  return username === '' && (uid ?? '') === '' && (groups ?? []).length === 0 && Object.keys(extra ?? {}).length === 0;
}

/** Returns a list as Go's %#v prints it. */
function printedList(values: readonly string[] | undefined): string {
  return `[]string${values === undefined || values.length === 0 ? '(nil)' : `{${values.map(quote).join(', ')}}`}`;
}

function groupsOf(user: RequestedUser): readonly string[] {
  const asked = user.groups ?? [];
  if (user.username === 'system:anonymous') return withGroup(asked, 'system:unauthenticated');
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user.username);
  const own = account !== null && asked.length === 0 ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`] : asked;
  return withGroup(own, 'system:authenticated');
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

function extraOf(extra: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, readonly string[]> {
  const entries = Object.entries(extra).map(([key, values]) => [decoded(key.toLowerCase()), values] as const);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
