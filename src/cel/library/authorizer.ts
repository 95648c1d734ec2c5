import { trimSpace } from '../../go/white-space.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '../../kubernetes/name-rules.js';
import { binary, type FunctionDeclaration, fn, memberDeclaration, unary, variadic } from '../check/declarations.js';
import { type ExtensionKind, extensionKind } from '../values/extension.js';
import { textInside } from '../values/found.js';
import { BOOL, STRING, structType, type Type } from '../values/type.js';
import { type CelValue, celError, type ExtensionValue, noSuchOverload } from '../values/value.js';

/** Decides whether a user may do something. */
export interface Authorizer {
  authorize(question: AuthorizerQuestion): AuthorizerAnswer;
}

/** Authorizes a request of a user. Attributes that were not given are empty. */
export type AuthorizerQuestion =
  | { readonly user: UserInfo; readonly verb: string; readonly path: string }
  | ({ readonly user: UserInfo; readonly verb: string } & ResourceParts);

export interface ResourceParts {
  readonly group: string;
  /** Undefined: any version. */
  readonly version?: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AuthorizerAnswer {
  readonly allowed: boolean;
  /** No other authorizer is asked; undefined for no opinion. */
  readonly denied?: boolean;
  readonly reason: string;
  /** Undefined for no error. */
  readonly error: string | undefined;
}

/** Types of the authorizer's builders, in order. */
export const AUTHORIZER = structType('kubernetes.authorization.Authorizer', 0);
export const RESOURCE_CHECK = structType('kubernetes.authorization.ResourceCheck', 0);
const PATH_CHECK = structType('kubernetes.authorization.PathCheck', 0);
const GROUP_CHECK = structType('kubernetes.authorization.GroupCheck', 0);
const DECISION = structType('kubernetes.authorization.Decision', 0);

interface Asking {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
}

const authorizers = family<Asking>(AUTHORIZER, 'authorizerVal');
const pathChecks = family<Asking & { readonly path: string }>(PATH_CHECK, 'pathCheckVal');
const groupChecks = family<Asking & { readonly group: string }>(GROUP_CHECK, 'groupCheckVal');
const resourceChecks = family<Asking & { readonly parts: ResourceParts }>(RESOURCE_CHECK, 'resourceCheckVal');
const decisions = family<AuthorizerAnswer>(DECISION, 'decisionVal');

/** The variable `authorizer`, which authorizes requests of a user. */
export function authorizerValue(user: UserInfo, authorizer: Authorizer): ExtensionValue {
  return authorizers.make({ user, authorizer });
}

/** The variable `authorizer.requestResource`. */
export function resourceCheckValue(asking: { user: UserInfo; authorizer: Authorizer }, parts: ResourceParts): ExtensionValue {
  return resourceChecks.make({ ...asking, parts });
}

/** The authorizer library. Source: apiserver pkg/cel/library/authz.go. */
export const authorizerFunctions: readonly FunctionDeclaration[] = [
  fn(
    'path',
    memberDeclaration(
      'authorizer_path',
      [AUTHORIZER, STRING],
      PATH_CHECK,
      step(authorizers, (asking, path) => checkPath(asking, path)),
    ),
  ),
  fn(
    'group',
    memberDeclaration(
      'authorizer_group',
      [AUTHORIZER, STRING],
      GROUP_CHECK,
      step(authorizers, (asking, group) => groupChecks.make({ ...asking, group })),
    ),
  ),
  fn(
    'serviceAccount',
    memberDeclaration(
      'authorizer_serviceaccount',
      [AUTHORIZER, STRING, STRING],
      AUTHORIZER,
      variadic((a = '', namespace = '', name = '') => asServiceAccount(a, namespace, name)),
    ),
  ),
  fn(
    'resource',
    memberDeclaration(
      'groupcheck_resource',
      [GROUP_CHECK, STRING],
      RESOURCE_CHECK,
      step(groupChecks, (asking, resource) => checkResource(asking, resource)),
    ),
  ),
  refinement('subresource', 'resourcecheck_subresource', subresource => ({ subresource })),
  refinement('namespace', 'resourcecheck_namespace', namespace => ({ namespace })),
  refinement('name', 'resourcecheck_name', name => ({ name })),
  fn(
    'check',
    memberDeclaration(
      'pathcheck_check',
      [PATH_CHECK, STRING],
      DECISION,
      step(pathChecks, ({ user, authorizer, path }, verb) => decisions.make(authorizer.authorize({ user, verb, path }))),
    ),
    memberDeclaration(
      'resourcecheck_check',
      [RESOURCE_CHECK, STRING],
      DECISION,
      step(resourceChecks, ({ user, authorizer, parts }, verb) => decisions.make(authorizer.authorize({ user, verb, ...parts }))),
    ),
  ),
  outcome('errored', 'decision_errored', { result: BOOL, get: ({ error }) => error !== undefined }),
  outcome('error', 'decision_error', { result: STRING, get: ({ error }) => error ?? '' }),
  outcome('allowed', 'decision_allowed', { result: BOOL, get: ({ allowed }) => allowed }),
  outcome('reason', 'decision_reason', { result: STRING, get: ({ reason }) => reason }),
];

/** Selectors of lists and watches. */
export const authorizerSelectorFunctions: readonly FunctionDeclaration[] = [
  refinement('fieldSelector', 'authorizer_fieldselector', fieldSelector => ({ fieldSelector })),
  refinement('labelSelector', 'authorizer_labelselector', labelSelector => ({ labelSelector })),
];

interface Family<T> {
  readonly make: (content: T) => ExtensionValue;
  readonly contentOf: ExtensionKind<T>['contentOf'];
}

/** Values that only have methods: they equal nothing, not even themselves. */
function family<T>(type: Type, goName: string): Family<T> {
  const kind = extensionKind<T>(type);
  const parts = { equals: () => undefined, goText: type.name, goType: `library.${goName}`, inner: { error: 'no such overload' } };
  return { make: content => kind.make({ content, ...parts }), contentOf: kind.contentOf };
}

function step<T>(kind: Family<T>, take: (content: T, text: string) => CelValue) {
  return binary((value, argument) => {
    const content = kind.contentOf(value);
    const text = textInside(argument);
    return content === undefined || text === undefined ? noSuchOverload(value) : take(content, text);
  });
}

function refinement(name: string, id: string, change: (text: string) => Partial<ResourceParts>): FunctionDeclaration {
  const refine = step(resourceChecks, (asking, text) => resourceChecks.make({ ...asking, parts: { ...asking.parts, ...change(text) } }));
  return fn(name, memberDeclaration(id, [RESOURCE_CHECK, STRING], RESOURCE_CHECK, refine));
}

function outcome(
  name: string,
  id: string,
  { result, get }: { result: Type; get: (answer: AuthorizerAnswer) => CelValue },
): FunctionDeclaration {
  const implementation = unary(value => {
    const answer = decisions.contentOf(value);
    return answer === undefined ? noSuchOverload(value) : get(answer);
  });
  return fn(name, memberDeclaration(id, [DECISION], result, implementation));
}

function checkPath(asking: Asking, path: string): CelValue {
  return trimSpace(path) === '' ? celError('path must not be empty') : pathChecks.make({ ...asking, path });
}

function checkResource({ user, authorizer, group }: Asking & { readonly group: string }, resource: string): CelValue {
  if (trimSpace(resource) === '') return celError('resource must not be empty');
  const parts = { group, resource, subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return resourceChecks.make({ user, authorizer, parts });
}

function asServiceAccount(value: CelValue, namespace: CelValue, name: CelValue): CelValue {
  const asking = authorizers.contentOf(value);
  const namespaceText = textInside(namespace);
  const nameText = textInside(name);
  if (asking === undefined || namespaceText === undefined || nameText === undefined) return noSuchOverload(value);
  if (dns1123SubdomainProblems(nameText).length > 0) return celError('Invalid service account name');
  if (dns1123LabelProblems(namespaceText).length > 0) return celError('Invalid service account namespace');
  return authorizers.make({ user: serviceAccount(namespaceText, nameText), authorizer: asking.authorizer });
}

/** The user for a service account. Source: apiserver pkg/authentication/serviceaccount ServiceAccountInfo.UserInfo. */
function serviceAccount(namespace: string, name: string): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: new Map(),
  };
}
