import { queryOfRequest, requestInfoOf } from '../../apiserver/call/request-info.js';
import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { ownMember } from '../../go/own-members.js';
import type { UserInfo } from '../../kubernetes/api-call.js';
import { type Incoming, pathOfRequest } from '../http/exchange.js';

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** A path that is not served any more: `/api/v1/proxy/nodes/a`. */
const oldProxyPath = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/proxy(\/.+)$/;

/** Returns the authorizer attributes of a request. Source: apiserver endpoints/request/requestinfo.go. */
export function questionOf(request: Pick<Incoming, 'method' | 'url'>, user: UserInfo): AuthorizerQuestion {
  const [, root, proxied] = oldProxyPath.exec(request.url) ?? [];
  const info = requestInfoOf(root === undefined ? request.url : `${root}${proxied}`);
  if (info.type === 'other') return { user, verb: request.method.toLowerCase(), path: pathOfRequest(request) };
  const query = queryOfRequest(request.url);
  const selector = query.get('fieldSelector')?.[0] ?? '';
  let verb = ownMember(verbs, request.method) ?? '';
  let { name } = info;
  if (name === '' && verb === 'get') {
    const watch = query.get('watch')?.[0];
    verb = watch !== undefined && watch !== '0' && watch.toLowerCase() !== 'false' ? 'watch' : 'list';
    const named = /^(?:.*,)?metadata\.name==?([a-z0-9.-]+)(?:,.*)?$/.exec(selector);
    if (named?.[1] !== undefined) name = named[1];
  } else if (name === '' && verb === 'delete') verb = 'deletecollection';
  const { group, version, resource, subresource, namespace } = info;
  const hasSelectors = verb === 'list' || verb === 'watch' || verb === 'deletecollection';
  const selectors = {
    fieldSelector: hasSelectors ? selector : '',
    labelSelector: hasSelectors ? (query.get('labelSelector')?.[0] ?? '') : '',
  };
  const asked = root === undefined ? { verb, subresource } : { verb: 'proxy', subresource: '' };
  return { user, group, version, resource, ...asked, namespace, name, ...selectors };
}

const longRunning = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** Reports whether a request may take as long as it likes. Source: kubernetes pkg/controlplane/apiserver/config.go, apiserver server/filters/longrunning.go. */
export function isLongRunning(question: AuthorizerQuestion): boolean {
  if ('path' in question) return question.path.startsWith('/debug/pprof/');
  return question.verb === 'watch' || question.verb === 'proxy' || longRunning.has(question.subresource);
}

/** Converts deprecated watch paths, `/api/v1/watch/...`, to current ones. */
export function withoutWatchPrefix(url: string): string {
  const match = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch(\/.*?)(\?.*)?$/.exec(url);
  if (match === null) return url;
  const [, root = '', path = '', query = ''] = match;
  const info = requestInfoOf(`${root}${path}`);
  // The first value of a parameter counts.
  const rest = query === '' ? '?watch=true' : `?watch=true&${query.slice(1)}`;
  if (info.type === 'other' || info.name === '') return `${root}${path}${rest}`;
  const collection = path.slice(0, path.lastIndexOf('/'));
  return `${root}${collection}${rest}&fieldSelector=${encodeURIComponent(`metadata.name=${info.name}`)}`;
}
