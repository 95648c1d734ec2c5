import { quote } from '../../go/quote.js';
import type { ApiCall, RequestedUser, UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { StatusError } from '../../kubernetes/status.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { internalErrorText, PlainTextError } from './plain-text-error.js';

/**
 * Returns the user info of an impersonated user: groups added, keys of `extra` lower-cased and sorted. Source: apiserver
 * endpoints/filters/impersonation.go.
 */
export function userInfoOf(user: RequestedUser | undefined): UserInfo {
  if (user === undefined || saysNothing(user))
    return { username: 'kubernetes-admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() };
  return { username: user.username, uid: user.uid ?? '', groups: groupsOf(user), extra: extraOf(user.extra ?? {}) };
}

/** Throws a 400 for impersonation without a user name. */
export function checkImpersonation(server: ApiServer, { user, path }: Pick<ApiCall, 'user' | 'path'>): void {
  if (user === undefined || user.username !== '' || saysNothing(user)) return;
  if (!server.since('v1.36')) throw plainRefusal(server, user, path);
  const groups = printedList(user.groups);
  const extra = Object.entries(user.extra ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const printedExtra =
    extra.length === 0 ? '(nil)' : `{${extra.map(([key, values]) => `${quote(key.toLowerCase())}:${printedList(values)}`).join(', ')}}`;
  const info = `&user.DefaultInfo{Name:"", UID:${quote(user.uid ?? '')}, Groups:${groups}, Extra:map[string][]string${printedExtra}}`;
  throw badRequest(`requested ${info} without impersonating a user name`);
}

/** Lists the object references to be impersonated; v1.34 answers with plain text. */
function plainRefusal(server: ApiServer, { uid, groups, extra }: RequestedUser, path: string): StatusError | PlainTextError {
  const references = [
    ...(groups ?? []).map(group => `{Group  ${group}    }`),
    ...Object.entries(extra ?? {}).flatMap(([key, values]) =>
      values.map(value => `{UserExtra  ${value}  authentication.k8s.io/v1  ${key.toLowerCase()}}`),
    ),
    ...(uid === undefined || uid === '' ? [] : [`{UID  ${uid}  authentication.k8s.io/v1  }`]),
  ];
  const message = `requested [${references.join(' ')}] without impersonating a user`;
  return server.since('v1.35') ? badRequest(message) : new PlainTextError(500, internalErrorText(path, message));
}

/** Returns the impersonated user of the headers; undefined without impersonation headers. */
export function impersonatedIn(headers: Readonly<Record<string, string>> | undefined): RequestedUser | undefined {
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const impersonating = given.filter(([name]) => name.startsWith('impersonate-'));
  if (impersonating.length === 0) return undefined;
  const value = (name: string): string => impersonating.find(([key]) => key === name)?.[1] ?? '';
  const groups = impersonating.filter(([name]) => name === 'impersonate-group').map(([, group]) => group);
  const prefix = 'impersonate-extra-';
  const extra = impersonating.filter(([name]) => name.startsWith(prefix)).map(([name, text]) => [name.slice(prefix.length), [text]]);
  return { username: value('impersonate-user'), uid: value('impersonate-uid'), groups, extra: Object.fromEntries(extra) };
}

/** No impersonation. */
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
