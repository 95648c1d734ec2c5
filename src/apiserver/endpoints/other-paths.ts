import { methodNotAllowed, resourceNotFound } from '../../kubernetes/status-errors.js';
import { PageNotFound } from '../filters/page-not-found.js';
import type { Served } from './served-resources.js';

/**
 * Throws the 404 or 405 for a path without a resource; returns where the API server serves a document. Source: apiserver server/routes,
 * endpoints/discovery; kube-aggregator pkg/apiserver.
 */
export function checkOtherPath(method: string, parts: readonly string[], { groups }: Pick<Served, 'groups'>): void {
  if (isReadOnly(parts, groups) && method !== 'GET') throw methodNotAllowed();
}

/** Reports whether the path has a read-only document. Throws the 404. */
function isReadOnly(parts: readonly string[], groups: Served['groups']): boolean {
  const [first = '', second, third] = parts;
  if (first === 'version' && parts.length === 1) return true;
  if (first !== 'api' && first !== 'apis') {
    if (parts.length > 0 && !anyMethod.has(first)) throw new PageNotFound();
    return false;
  }
  const [group, version] = first === 'api' ? ['', second] : [second, third];
  // /apis and /apis/GROUP accept every method.
  if (first === 'apis' && group === undefined) return false;
  const served = groups.find(g => g.group === group);
  if (served === undefined) throw new PageNotFound();
  if (version !== undefined && !served.versions.includes(version)) throw resourceNotFound();
  return first === 'api' || version !== undefined;
}

const anyMethod = new Set(['healthz', 'livez', 'readyz', 'metrics', 'openapi', 'openid', '.well-known', 'flagz', 'statusz', 'logs']);
