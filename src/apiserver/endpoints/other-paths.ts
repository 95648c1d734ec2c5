import { resourceNotFound } from '../../kubernetes/status-errors.js';
import { PageNotFound } from '../filters/page-not-found.js';
import type { Served } from './served-resources.js';

/**
 * Throws the 404 for a path without a resource; returns where the API server serves a document. Source: apiserver server/routes,
 * endpoints/discovery; kube-aggregator pkg/apiserver; apiextensions-apiserver pkg/apiserver/customresource_discovery.go.
 */
export function checkOtherPath(parts: readonly string[], { groups, resources }: Served): void {
  const [first = '', second, third] = parts;
  if (first !== 'api' && first !== 'apis') {
    if (parts.length > 0 && !documents.has(first)) throw new PageNotFound();
    return;
  }
  const [group, version] = first === 'api' ? ['', second] : [second, third];
  if (group === undefined) return;
  const served = groups.find(g => g.group === group);
  if (served === undefined) throw new PageNotFound();
  if (version === undefined || served.versions.includes(version)) return;
  throw resources.some(resource => resource.group === group && resource.custom) ? new PageNotFound() : resourceNotFound();
}

const documents = new Set([
  'version',
  'healthz',
  'livez',
  'readyz',
  'metrics',
  'openapi',
  'openid',
  '.well-known',
  'flagz',
  'statusz',
  'logs',
]);
