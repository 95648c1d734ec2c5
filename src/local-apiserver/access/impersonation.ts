import { checkImpersonation, userInfoOf } from '../../apiserver/filters/user.js';
import type { Authorizer } from '../../cel/library/authorizer.js';
import { groupedValues } from '../../go/grouped-values.js';
import type { RequestedUser, UserInfo } from '../../kubernetes/api-call.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Incoming } from '../http/exchange.js';
import { refusalOfRequest } from './authorization.js';
import { constrainedImpersonation, type Impersonated } from './constrained-impersonation.js';
import { questionOf } from './request-attributes.js';

/**
 * Returns the effective user of a request: the impersonated user, or the sender. Throws a 400 or 403. Source: apiserver
 * endpoints/filters/impersonation.
 */
export function impersonatedUser(server: ApiServer, request: Incoming, sender: UserInfo, authorizer: Authorizer): Impersonated {
  const asked = requestedUser(request);
  if (asked === undefined) return { user: sender, constraint: undefined };
  checkImpersonation(server, { user: asked, path: request.url });
  if (asked.username === '') return { user: sender, constraint: undefined };
  const constrained = server.isEnabled('ConstrainedImpersonation')
    ? constrainedImpersonation({ asked, question: questionOf(request, sender), authorizer })
    : undefined;
  if (constrained !== undefined && 'user' in constrained) return constrained;
  for (const question of questionsOf(asked)) {
    const parts = { fieldSelector: '', labelSelector: '', namespace: '', group: '', subresource: '', ...question };
    const refusal = refusalOfRequest({ user: sender, verb: 'impersonate', ...parts }, authorizer);
    // The error of the first mode that applies counts.
    if (refusal !== undefined) throw constrained?.refusal ?? refusal;
  }
  return { user: userInfoOf(asked), constraint: undefined };
}

const extraPrefix = 'impersonate-extra-';

function requestedUser({ headers }: Incoming): RequestedUser | undefined {
  if (!headers.some(([key]) => key.startsWith('impersonate-'))) return undefined;
  const values = (name: string) => headers.filter(([key]) => key === name).map(([, value]) => value);
  const pairs = headers
    .filter(([key]) => key.startsWith(extraPrefix))
    .map(([key, value]) => [key.slice(extraPrefix.length), value] as const);
  const extra = groupedValues(pairs);
  const user = {
    username: values('impersonate-user')[0] ?? '',
    uid: values('impersonate-uid')[0] ?? '',
    groups: values('impersonate-group'),
    extra,
  };
  return user.username === '' && user.uid === '' && user.groups.length === 0 && Object.keys(extra).length === 0 ? undefined : user;
}

interface Question {
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
  readonly group?: string;
  readonly subresource?: string;
}

function questionsOf({ username, uid, groups = [], extra = {} }: RequestedUser): Question[] {
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username);
  const authentication = 'authentication.k8s.io';
  return [
    account === null
      ? { resource: 'users', name: username }
      : { resource: 'serviceaccounts', namespace: account[1] ?? '', name: account[2] ?? '' },
    ...groups.map(name => ({ resource: 'groups', name })),
    ...(uid === undefined || uid === '' ? [] : [{ resource: 'uids', group: authentication, name: uid }]),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(name => ({ resource: 'userextras', subresource: decoded(key), group: authentication, name })),
    ),
  ];
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
