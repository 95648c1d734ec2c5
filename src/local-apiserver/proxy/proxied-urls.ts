import path from 'node:path/posix';
import { parseUrl, UrlError } from '../../go/url/parse.js';
import { type Url, urlText } from '../../go/url/url.js';
import type { StatusError } from '../../kubernetes/status.js';
import { internalError } from '../../kubernetes/status-errors.js';

/** What leads to a pod or node from the client's view. */
export interface ProxyPrefix {
  /** Path of the proxy: `/api/v1/namespaces/shop/pods/web-0/proxy`. */
  readonly path: string;
  /** Host that the client named. */
  readonly host: string;
  /** Host of the pod or node as URLs have it. */
  readonly at: string;
}

/** Returns the joined path without dots; a slash at the end stays. Source: apimachinery util/net JoinPreservingTrailingSlash. */
export function joinPreservingSlash(...parts: readonly string[]): string {
  const last = parts.findLast(part => part !== '') ?? '';
  if (last === '') return '';
  const joined = path.join(...parts).replace(/(?<=.)\/$/, '');
  return last.endsWith('/') && !joined.endsWith('/') ? `${joined}/` : joined;
}

/** Returns where a `Location` leads through the proxy, or the error of an invalid URL. */
export function movedInside(location: string, prefix: ProxyPrefix): string | StatusError {
  const url = parseLink(location);
  return 'error' in url ? internalError(`error trying to parse Location header: ${url.error}`) : rewriteUrl(url, prefix);
}

/** Returns a link of a page as it leads through the proxy; as it is if it is an invalid URL. */
export function linkInside(link: string, prefix: ProxyPrefix): string {
  const url = parseLink(link);
  return 'error' in url ? link : rewriteUrl(url, prefix);
}

function parseLink(text: string): Url | { readonly error: string } {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return { error: error.message };
    throw error;
  }
}

/** Source: apimachinery pkg/util/proxy/transport.go rewriteURL. */
function rewriteUrl(url: Url, { path: prefix, host, at }: ProxyPrefix): string {
  const isElsewhere = url.host !== '' && url.host !== at && url.host !== host;
  if (isElsewhere || !url.path.startsWith('/')) return urlText(url);
  const near: Url = url.host === host ? url : { ...url, scheme: '', host: '' };
  return urlText(near.path.startsWith(prefix) ? near : { ...near, path: joinPreservingSlash(prefix, near.path) });
}
