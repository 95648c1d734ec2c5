import { userInfoOf } from '../../apiserver/filters/user.js';
import type { Authorizer, AuthorizerQuestion, ResourceParts } from '../../cel/library/authorizer.js';
import { quote } from '../../go/quote.js';
import type { RequestedUser, UserInfo } from '../../kubernetes/api-call.js';
import { dns1123SubdomainProblems, longNameProblems } from '../../kubernetes/name-rules.js';
import type { StatusError } from '../../kubernetes/status.js';
import { authorizationRefusal, refusalOfRequest } from './authorization.js';

/** An attempt to act as another user. */
export interface ImpersonationAttempt {
  readonly asked: RequestedUser;
  /** Attributes of the request, of the sender. */
  readonly question: AuthorizerQuestion;
  readonly authorizer: Authorizer;
}

/** The user whose rights a request has. */
export interface Impersonated {
  readonly user: UserInfo;
  /** Verb of the mode that allowed it; undefined for no impersonation, and for the right to impersonate in every request. */
  readonly constraint: string | undefined;
}

/** The impersonated user, or the 403 of the first mode that applies; undefined if none does. */
export type Impersonation = Impersonated | { readonly refusal: StatusError } | undefined;

/**
 * Tries the modes that allow impersonation only for certain verbs: `impersonate-on:MODE:VERB` for the request, and `impersonate:MODE` for every part of
 * the user. Results are not cached. Source: apiserver endpoints/filters/impersonation/mode.go.
 */
export function constrainedImpersonation(attempt: ImpersonationAttempt): Impersonation {
  let first: StatusError | undefined;
  for (const mode of modesOf(attempt)) {
    const refused = refusalIn(mode, attempt);
    if (refused === undefined) return { user: impersonated(attempt), constraint: `impersonate:${mode}` };
    first ??= refused;
  }
  return first === undefined ? undefined : { refusal: first };
}

const nodeNameKey = 'authentication.kubernetes.io/node-name';

function modesOf({ asked, question }: ImpersonationAttempt): string[] {
  const node = nodeOf(asked);
  const account = accountOf(asked);
  const isPlain = hasOnlyName(asked);
  const sender = question.user;
  const isAssociated =
    node !== undefined && sender.username.startsWith('system:serviceaccount:') && sender.extra.get(nodeNameKey)?.join() === node;
  if (node !== undefined && isPlain) return isAssociated ? ['associated-node', 'arbitrary-node'] : ['arbitrary-node'];
  if (account !== undefined && isPlain) return ['serviceaccount'];
  return node === undefined && account === undefined ? ['user-info'] : [];
}

function impersonated({ asked }: ImpersonationAttempt): UserInfo {
  const user = userInfoOf(asked);
  return nodeOf(asked) === undefined ? user : { ...user, groups: ['system:nodes', 'system:authenticated'] };
}

function refusalIn(mode: string, { asked, question, authorizer }: ImpersonationAttempt): StatusError | undefined {
  const sender = mode === 'associated-node' ? withoutExtra(question.user) : question.user;
  const refused = refusalOfRequest({ ...question, user: sender, verb: `impersonate-on:${mode}:${question.verb}` }, authorizer);
  if (refused !== undefined) return refused;
  for (const part of partsOf(asked, mode)) {
    const asking = { user: sender, verb: `impersonate:${mode}`, ...part.resource };
    if (part.never !== undefined) return authorizationRefusal(asking, { allowed: false, reason: part.never, error: undefined });
    const denied = refusalOfRequest(asking, authorizer);
    if (denied !== undefined) return denied;
  }
  return undefined;
}

function withoutExtra(user: UserInfo): UserInfo {
  return { ...user, extra: new Map([['authentication.kubernetes.io/associated-node-keys', [...user.extra.keys()].sort()]]) };
}

interface Part {
  readonly resource: ResourceParts;
  /** Why it is never allowed. */
  readonly never?: string | undefined;
}

function partsOf(asked: RequestedUser, mode: string): Part[] {
  const { uid = '', groups = [], extra = {} } = asked;
  const node = nodeOf(asked);
  const account = accountOf(asked);
  const part = (resource: string, name: string, more: Partial<ResourceParts> = {}): ResourceParts => ({
    group: 'authentication.k8s.io',
    resource,
    subresource: '',
    namespace: '',
    name,
    fieldSelector: '',
    labelSelector: '',
    ...more,
  });
  const named =
    node !== undefined
      ? part('nodes', mode === 'associated-node' ? '*' : node)
      : account !== undefined
        ? part('serviceaccounts', account.name, { namespace: account.namespace })
        : part('users', asked.username);
  return [
    { resource: named },
    ...(uid === '' ? [] : [{ resource: part('uids', uid) }]),
    ...(groups.includes('')
      ? [{ resource: part('groups', ''), never: 'impersonating the empty string group is not allowed' }]
      : groups.includes('system:masters')
        ? [{ resource: part('groups', 'system:masters'), never: 'impersonating the system:masters group is not allowed' }]
        : groups.map(group => ({ resource: part('groups', group) }))),
    ...extraParts(extra).map(({ key, value, never }) => ({ resource: part('userextras', value, { subresource: key }), never })),
  ];
}

/** Returns the values of `extra`; with a key that is never allowed, only that. Source: apiserver endpoints/filters/impersonation validateExtra. */
function extraParts(extra: Readonly<Record<string, readonly string[]>>): { key: string; value: string; never?: string }[] {
  for (const [key, values] of Object.entries(extra)) {
    const problem = isDomainPrefixed(key)
      ? undefined
      : `an invalid key in extra is not allowed: extra.key: Invalid value: ${quote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`;
    const never = problem ?? (values.includes('') ? 'the empty string value in extra is not allowed' : undefined);
    if (never !== undefined) return [{ key: '', value: '', never: `impersonating ${never}` }];
  }
  return Object.entries(extra).flatMap(([key, values]) => values.map(value => ({ key, value })));
}

function isDomainPrefixed(key: string): boolean {
  const [, host, path] = /^([^/]+)\/(.+)$/s.exec(key) ?? [];
  return host !== undefined && path !== undefined && dns1123SubdomainProblems(host).length === 0;
}

function hasOnlyName({ uid = '', groups = [], extra = {} }: RequestedUser): boolean {
  return uid === '' && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeOf({ username }: RequestedUser): string | undefined {
  const name = /^system:node:(.*)$/s.exec(username)?.[1];
  return name !== undefined && longNameProblems(name).length === 0 ? name : undefined;
}

function accountOf({ username }: RequestedUser): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
