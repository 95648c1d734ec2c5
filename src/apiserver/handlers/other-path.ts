import type { ApiCall, ClusterState } from '../../kubernetes/api-call.js';
import { resourceNotFound } from '../../kubernetes/status-errors.js';
import { NotReproduced } from '../admission/not-reproduced.js';
import { PageNotFound } from '../call/page-not-found.js';
import { type Served, servedBy } from '../call/served-resources.js';
import type { Answer } from '../report/report.js';

/** Returns the document at a path without a resource. Throws the 404, 405, 406 or 415, or NotReproduced where only a running server has it. */
export async function answerOtherPath(call: ApiCall, parts: readonly string[], state: ClusterState): Promise<Answer> {
  checkOtherPath(parts, servedBy(state));
  const { documentOf } = await state.server.otherForms();
  const answer = await documentOf(call, state);
  if (answer === undefined) throw new NotReproduced(`the API server's response for /${parts.join('/')} is not reproduced`);
  return answer;
}

/**
 * Throws the 404 for a path without a resource; returns where the API server serves a document. Source: apiserver server/routes,
 * endpoints/discovery; kube-aggregator pkg/apiserver; apiextensions-apiserver pkg/apiserver/customresource_discovery.go.
 */
function checkOtherPath(parts: readonly string[], { groups, resources }: Served): void {
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
