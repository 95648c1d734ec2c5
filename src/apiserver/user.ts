import type { RequestedUser, UserInfo } from '../kubernetes/api-call.js';

/**
 * The user the API server makes of the impersonated one: groups added, keys of `extra` lower-cased and sorted.
 * Source: apiserver endpoints/filters/impersonation.go.
 */
export function userInfoOf(user: RequestedUser | undefined): UserInfo {
  if (user === undefined)
    return { username: 'kubernetes-admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() };
  return { username: user.username, uid: user.uid ?? '', groups: groupsOf(user), extra: extraOf(user.extra ?? {}) };
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
