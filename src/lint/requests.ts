import { admittedOperations } from '../apiserver/webhooks/admitted-operations.js';
import { equivalentsOf } from '../apiserver/webhooks/equivalent.js';
import { matchesRule, type RuleSubject } from '../apiserver/webhooks/rules.js';
import { isExemptFromWebhooks } from '../apiserver/webhooks/select.js';
import type { Rule } from '../apiserver/webhooks/webhook.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import { isDefinition, resourcesOfDefinition } from '../kubernetes/definition-resources.js';
import { memoize } from '../kubernetes/memoize.js';
import { builtInResources, type Resource } from '../kubernetes/resource-table.js';
import type { Storage } from '../kubernetes/storage.js';
import { isExemptFromPolicies } from '../plugins/policies/exempt.js';

/** A kind of request that reaches admission: an operation on a resource or a subresource that is served. */
export interface AdmittedRequest extends RuleSubject {
  readonly served: Resource;
  /** The same request in other versions and groups, to which matchPolicy Equivalent converts it. */
  readonly equivalents: readonly RuleSubject[];
  /** Neither configurations nor virtual resources reach webhooks. */
  readonly exemptFromWebhooks: boolean;
  readonly exemptFromPolicies: boolean;
}

/** Returns what an API server with every API enabled serves, and the definitions of the files. */
export function servedResources(storage: Storage): readonly Resource[] {
  return servedBy(storage);
}

const servedBy = memoize((storage: Storage): readonly Resource[] => {
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }).filter(isDefinition);
  return [...builtInResources(storage.server, 'all').resources, ...definitions.flatMap(resourcesOfDefinition)];
});

/** Returns every kind of request that reaches admission. */
export function admittedRequests(storage: Storage): readonly AdmittedRequest[] {
  return requestsOf(storage);
}

const requestsOf = memoize((storage: Storage): readonly AdmittedRequest[] => {
  const { server } = storage;
  const builtIn = builtInResources(server, 'all').resources;
  const resources = servedResources(storage);
  const custom = resources.slice(builtIn.length);
  const names = new Set(builtIn.map(({ resource }) => resource));
  // A definition can take the place of a built-in resource, or be an equivalent of it.
  if (custom.some(({ resource }) => names.has(resource))) return requestsTo(resources, { resources, storage });
  return [...builtInRequests(server), ...requestsTo(custom, { resources, storage })];
});

/** Of hundreds of kinds of requests for a file, most are the same for all files. */
const builtInRequests = memoize((server: ApiServer): readonly AdmittedRequest[] => {
  const { resources } = builtInResources(server, 'all');
  return requestsTo(resources, { resources, storage: { server, list: () => [] } });
});

type Served = Parameters<typeof equivalentsOf>[1];

function requestsTo(resources: readonly Resource[], served: Served): AdmittedRequest[] {
  const { server } = served.storage;
  return resources.flatMap(one => {
    const { group, version } = one;
    const resource = { group, version, resource: one.resource };
    const exempt = {
      exemptFromWebhooks: isExemptFromWebhooks(server, { kind: one.kind, resource }),
      exemptFromPolicies: isExemptFromPolicies({ resource }),
    };
    return admittedOperations(one).map(({ operation, subresource }) => {
      const subject = { operation, resource, subresource, namespace: one.namespaced ? 'default' : '' };
      const equivalents = equivalentsOf({ resource, subresource }, served).map(other => ({ ...subject, resource: other.resource }));
      return { ...subject, served: one, equivalents, ...exempt };
    });
  });
}

/** Reports whether a rule matches a request, or with matchPolicy Equivalent one that it is converted to. */
export function ruleMatches(
  rule: Rule,
  request: RuleSubject & Pick<AdmittedRequest, 'equivalents'>,
  matchPolicy: 'Exact' | 'Equivalent',
): boolean {
  return matchesRule(rule, request) || (matchPolicy === 'Equivalent' && request.equivalents.some(one => matchesRule(rule, one)));
}

/** Returns the groups that the API server itself serves. */
export function builtInGroups(server: ApiServer): ReadonlySet<string> {
  return new Set(builtInResources(server, 'all').groups.map(({ group }) => group));
}
