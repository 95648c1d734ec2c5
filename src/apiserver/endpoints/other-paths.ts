import { methodNotAllowed, resourceNotFound } from '../../kubernetes/status-errors.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { PageNotFound } from '../filters/page-not-found.js';
import type { Served } from './served-resources.js';

/**
 * Throws the API server's answer for a path without a resource: a 404 or 405, or NotReproduced where it serves a document. Source:
 * apiserver server/routes, endpoints/discovery; kube-aggregator pkg/apiserver.
 */
export function refuseOtherPath(method: string, parts: readonly string[], { groups }: Pick<Served, 'groups'>): never {
  const [first = '', second, third] = parts;
  const document = new NotReproduced(`the API server's response for /${parts.join('/')} is not reproduced`);
  const readOnly = (): Error => (method === 'GET' ? document : methodNotAllowed());
  const [group, version] = first === 'api' ? ['', second] : [second, third];
  if (first === 'version' && parts.length === 1) throw readOnly();
  if (first !== 'api' && first !== 'apis') throw parts.length === 0 || anyMethod.has(first) ? document : new PageNotFound();
  // /apis and /apis/GROUP accept every method.
  if (first === 'apis' && group === undefined) throw document;
  const served = groups.find(g => g.group === group);
  if (served === undefined) throw new PageNotFound();
  if (version === undefined) throw first === 'apis' ? document : readOnly();
  throw served.versions.includes(version) ? readOnly() : resourceNotFound();
}

const anyMethod = new Set(['healthz', 'livez', 'readyz', 'metrics', 'openapi', 'openid', '.well-known', 'flagz', 'statusz', 'logs']);
