import type { GroupVersion } from '../../kubernetes/group-version.js';
import { memoizeStrings } from '../../kubernetes/memoize.js';

/** Parsed request line. */
export type RequestInfo = ResourceRequest | OtherRequest;

/** Path without a resource. */
export interface OtherRequest {
  readonly type: 'other';
  /** Decoded path segments; none for the root. */
  readonly parts: readonly string[];
}

export interface ResourceRequest {
  readonly type: 'resource';
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped requests; the object's own name for requests on a Namespace. */
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** Percent-decoded path after the subresource, with its leading slash (`proxy`); otherwise empty. */
  readonly rest: string;
  /** Whether the path contains a namespace (`/namespaces/NS/...`); cluster-scoped resources are not served there. */
  readonly inNamespace: boolean;
  /** Whether the path has the older form of a watch: `/api/v1/watch/pods`. */
  readonly watches: boolean;
}

/** Query parameters: all values of each, in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** A call's path is read several times, and all creates of a kind in a namespace have the same one. */
const pathsKept = 100;

/** Reads the path of a request. Source: apiserver endpoints/request/requestinfo.go. */
export const requestInfoOf: (pathAndQuery: string) => RequestInfo = memoizeStrings(pathsKept, pathAndQuery => {
  // The server decodes the path before it splits it, so an escaped slash separates too.
  const path = unescapePath(pathAndQuery.split('?', 1)[0] ?? '');
  const parts = path.split('/').slice(1);
  const slash = parts.at(-1) === '' ? '/' : '';
  const decoded = slash === '' ? parts : parts.slice(0, -1);
  if (decoded[0] === 'api' && decoded[1] !== undefined) return resourceRequest({ group: '', version: decoded[1] }, decoded.slice(2), slash);
  if (decoded[0] === 'apis' && decoded[1] !== undefined && decoded[2] !== undefined) {
    return resourceRequest({ group: decoded[1], version: decoded[2] }, decoded.slice(3), slash);
  }
  return { type: 'other', parts: decoded };
});

/** Parses the query's parameters; a parameter with an invalid escape is dropped, as by Go's parser. */
export function queryOfRequest(pathAndQuery: string): Query {
  const at = pathAndQuery.indexOf('?');
  return queryOf(at < 0 ? '' : pathAndQuery.slice(at + 1));
}

/** Calls of one client have mostly the same query, whatever their paths are. */
const queryOf = memoizeStrings(pathsKept, (text): Query => {
  const found = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const values = found.get(key);
    if (values === undefined) found.set(key, [value]);
    else values.push(value);
  }
  return found;
});

/** Subresources of a Namespace; any other segment after `/namespaces/NS/` is a resource in it. */
const namespaceSubresources = new Set(['status', 'finalize']);

function resourceRequest(groupVersion: GroupVersion, parts: readonly string[], slash: string): RequestInfo {
  if (parts.length === 0)
    return {
      type: 'other',
      parts: groupVersion.group === '' ? ['api', groupVersion.version] : ['apis', groupVersion.group, groupVersion.version],
    };
  if (parts[0] === 'watch' && parts.length > 1) {
    const watched = resourceRequest(groupVersion, parts.slice(1), slash);
    return watched.type === 'other' ? watched : { ...watched, watches: true };
  }
  let rest = parts;
  let namespace = '';
  let inNamespace = false;
  if (parts[0] === 'namespaces' && parts[1] !== undefined) {
    namespace = parts[1];
    if (parts[2] !== undefined && !namespaceSubresources.has(parts[2])) {
      rest = parts.slice(2);
      inNamespace = true;
    }
  }
  const [resource = '', name = '', subresource = ''] = rest;
  const behind = `${rest
    .slice(3)
    .map(part => `/${part}`)
    .join('')}${slash}`;
  const { group, version } = groupVersion;
  return { type: 'resource', group, version, namespace, resource, name, subresource, rest: behind, inNamespace, watches: false };
}

function unescapePath(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function unescapeQuery(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
