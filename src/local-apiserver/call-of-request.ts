import { requestInfoOf } from '../apiserver/call/request-info.js';
import type { ApiCall, UserInfo } from '../kubernetes/api-call.js';
import { headerOfRequest, type Incoming } from './http/exchange.js';

/** Methods whose requests have a body. */
export const bodyMethods = ['POST', 'PUT', 'PATCH', 'DELETE'];

const namedHeaders = new Set(['content-type', 'user-agent', 'authorization']);

/** Returns the API call of a request. */
export async function apiCallOfRequest(request: Incoming, user: UserInfo): Promise<ApiCall> {
  const { username, uid, groups, extra } = user;
  return {
    // Resources do not support HEAD: the router rejects it like an unknown method.
    method: request.method === 'HEAD' ? 'OPTIONS' : request.method,
    path: request.url,
    contentType: headerOfRequest(request, 'content-type'),
    userAgent: headerOfRequest(request, 'user-agent'),
    headers: Object.fromEntries(request.headers.filter(([name]) => !namedHeaders.has(name))),
    // That of a proxied request is passed on as it comes.
    body: bodyMethods.includes(request.method) && !isProxied(request.url) ? await request.body() : undefined,
    user: { username, uid, groups, extra: Object.fromEntries(extra) },
  };
}

/** Reports whether a request is for what another server answers. */
function isProxied(url: string): boolean {
  const info = requestInfoOf(url);
  return info.type === 'resource' && info.subresource === 'proxy';
}
