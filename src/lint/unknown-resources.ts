import type { Rule } from '../apiserver/webhooks/webhook.js';
import { editDistance } from '../client/nearest.js';
import type { Resource } from '../kubernetes/resource-table.js';
import type { Storage } from '../kubernetes/storage.js';
import { builtInGroups, servedResources } from './requests.js';

/** Group of a custom or aggregated resource: lower case, with a dot, as the API server requires it. */
const customGroup = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/**
 * Reports whether a rule can match a resource that is neither built in nor defined in the files: one of a definition that is not among
 * them, or of an aggregated API server.
 */
export function canMatchUnknown(rule: Rule, storage: Storage): boolean {
  if (!rule.apiVersions.some(version => version === '*' || label.test(version))) return false;
  return rule.apiGroups.some(group => rule.resources.some(entry => isOpen(rule, group, { entry, storage })));
}

interface Named {
  readonly entry: string;
  readonly storage: Storage;
}

function isOpen(rule: Rule, group: string, { entry, storage }: Named): boolean {
  const [name = '', subresource = ''] = entry.split('/', 2);
  if (!canBeServed(rule, subresource)) return false;
  const served = servedResources(storage);
  if (group === '*') return name === '*' || (label.test(name) && !served.some(other => isAlias(name, other)));
  if (!customGroup.test(group) || builtInGroups(storage.server).has(group)) return false;
  if (name === '*') return true;
  if (!label.test(name)) return false;
  const own = served.filter(other => other.group === group);
  if (own.some(other => other.resource === name || isAlias(name, other))) return false;
  return !served.some(other => other.resource === name && !other.custom && editDistance(other.group, group) === 1);
}

/** Custom resources have the subresources status and scale, which are only updated; those of aggregated servers are not known. */
function canBeServed({ operations }: Rule, subresource: string): boolean {
  const has = (...wanted: readonly string[]): boolean => operations.some(operation => operation === '*' || wanted.includes(operation));
  if (subresource === '' || subresource === '*') return has('CREATE', 'UPDATE', 'DELETE');
  return subresource === 'status' || subresource === 'scale' ? has('UPDATE') : true;
}

/** Reports whether a name means a resource, but is not its plural: the singular, the kind or a short name, in any case. */
export function isAlias(name: string, { resource, singular, kind, shortNames }: Resource): boolean {
  const lower = (name.split('.', 1)[0] ?? '').toLowerCase();
  if (name === resource) return false;
  return lower === resource || lower === singular || lower === kind.kind.toLowerCase() || shortNames.includes(lower);
}
