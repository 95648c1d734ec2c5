import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { labelsOf, selectorOf, selects } from '../../kubernetes/label-selector.js';
import type { Storage } from '../../kubernetes/storage.js';
import { bootstrapRoles } from './bootstrap-roles.js';
import { type PolicyRule, rulesOfRole } from './role.js';

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Returns the ClusterRoles that the API server creates; few calls need more than the rules in `bootstrapRoles`. */
    readonly defaultRoles: (server: ApiServer) => readonly ValueMap[];
  }
}

/**
 * Returns the rules of a ClusterRole that every API server creates and that is not in the storage; undefined for other names. Aggregated
 * roles (`admin`, `edit`, `view`) have the rules that a cluster's controller manager gives them. Source: kubernetes
 * pkg/controller/clusterroleaggregation.
 */
export function defaultRules(name: string, storage: Storage): readonly PolicyRule[] | undefined {
  const known = bootstrapRoles.get(name);
  if (known !== undefined) return known;
  const role = storage.server.defaultRoles(storage.server).find(other => nameOf(other) === name);
  return role && defaultRulesOf(storage.server, role, storage.list({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }));
}

function defaultRulesOf(server: ApiServer, role: ValueMap, stored: readonly ValueMap[]): readonly PolicyRule[] {
  const selectors = listAt(role, 'aggregationRule', 'clusterRoleSelectors').map(value => selectorOf(server, value));
  if (selectors.length === 0) return rulesOfRole(role);
  const isSelected = (other: ValueMap): boolean => selectors.some(selector => selects(selector, labelsOf(other)));
  const replaced = new Set(stored.map(nameOf));
  const defaults = server.defaultRoles(server).filter(other => other !== role && !replaced.has(nameOf(other)));
  return [
    ...stored.filter(isSelected).flatMap(rulesOfRole),
    ...defaults.filter(isSelected).flatMap(other => defaultRulesOf(server, other, stored)),
  ];
}

function nameOf(role: ValueMap): string {
  return stringAt(role, 'metadata', 'name');
}
