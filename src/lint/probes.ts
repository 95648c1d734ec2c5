import { evaluateMatchConditions } from '../apiserver/webhooks/match-conditions.js';
import type { Rule, Webhook } from '../apiserver/webhooks/webhook.js';
import { authorizerValue, resourceCheckValue } from '../cel/library/authorizer.js';
import type { FoundValue } from '../cel/values/value.js';
import { toValue, type Value } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';

/** A request as conditions see it. */
export interface ConditionProbe {
  readonly operation: string;
  readonly object: Value;
  readonly oldObject: Value;
}

/** Error in a webhook's conditions. */
export interface ProbedConditionError {
  /** Index of the condition. */
  readonly index: number;
  /** Error without the expression: `no such key: labels`. */
  readonly error: string;
}

/** Returns the errors of a webhook's conditions for a request, as the API server evaluates them: none if one of them is false. */
export function conditionErrors(server: ApiServer, webhook: Webhook, probe: ConditionProbe): ProbedConditionError[] {
  const variables = variablesOf(webhook, probe);
  const result = evaluateMatchConditions(webhook.matchConditions, { resolve: name => variables.get(name) }, { server });
  if (result.outcome !== 'failed') return [];
  return result.errors.flatMap(({ index, error }) => (index === undefined || error === undefined ? [] : [{ index, error }]));
}

/** Returns an object with the given metadata and the members that every object has. */
export function objectWith(metadata: Record<string, unknown>): Value {
  return toValue({ apiVersion: 'v1', kind: 'Probe', metadata: { name: 'probe', namespace: 'default', uid: 'probe', ...metadata } });
}

/** Returns the operations of the rules; all of them for `*`. */
export function probedOperationsOf({ rules }: Webhook): readonly string[] {
  const named = new Set(rules.flatMap(({ operations }) => operations));
  return ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'].filter(operation => named.has('*') || named.has(operation));
}

function variablesOf({ rules }: Webhook, { operation, object, oldObject }: ConditionProbe): ReadonlyMap<string, FoundValue> {
  const rule = rules.find(({ operations }) => operations.includes(operation) || operations.includes('*'));
  const user = { username: 'probe', uid: 'probe', groups: ['system:authenticated'], extra: new Map() };
  const authorizer = { authorize: () => ({ allowed: true, reason: '', error: undefined }) };
  const resource = resourceOf(rule);
  const nowhere = { subresource: '', namespace: 'default', name: 'probe', fieldSelector: '', labelSelector: '' };
  return new Map<string, FoundValue>([
    ['object', object],
    ['oldObject', oldObject],
    ['namespaceObject', null],
    ['request', requestValue(operation, { resource, subresource: subresourceOf(rules, operation) })],
    ['authorizer', authorizerValue(user, authorizer)],
    [
      'authorizer.requestResource',
      resourceCheckValue({ user, authorizer }, { ...nowhere, group: resource.group, resource: resource.resource }),
    ],
  ]);
}

function resourceOf(rule: Rule | undefined): { group: string; version: string; resource: string } {
  const first = (list: readonly string[] | undefined, instead: string): string => (list?.[0] === '*' ? instead : (list?.[0] ?? instead));
  return {
    group: first(rule?.apiGroups, ''),
    version: first(rule?.apiVersions, 'v1'),
    resource: first(rule?.resources, 'pods').split('/', 1)[0] ?? '',
  };
}

/** Returns the subresource of every request that the rules match; undefined if they match requests without one. */
function subresourceOf(rules: readonly Rule[], operation: string): string | undefined {
  const asked = rules.filter(({ operations }) => operations.includes(operation) || operations.includes('*'));
  const entries = asked.flatMap(({ resources }) => resources);
  if (entries.some(entry => entry === '*/*' || !entry.includes('/'))) return undefined;
  return entries[0]?.split('/')[1]?.replace('*', 'probe');
}

interface ProbedResource {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subresource: string | undefined;
}

function requestValue(operation: string, { resource, subresource }: ProbedResource): Value {
  const kind = { group: resource.group, version: resource.version, kind: 'Probe' };
  return toValue({
    uid: '',
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    ...(subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource }),
    name: 'probe',
    namespace: 'default',
    operation,
    userInfo: { username: 'probe', uid: 'probe', groups: ['system:authenticated'] },
    object: null,
    oldObject: null,
    dryRun: false,
    options: { apiVersion: 'meta.k8s.io/v1', kind: `${operation.charAt(0)}${operation.slice(1).toLowerCase()}Options` },
  });
}
