import { errorResponse, type HttpHandler, type HttpRequest, type HttpResponse } from './message.js';
import { escapePath, type RequestTarget, unescapePath } from './request-target.js';
import { statusLineText } from './write-response.js';

/** Routes requests by path like Go's http.ServeMux, for patterns that are paths: `/x` matches only that path, `/x/` everything below it. */
export interface Mux {
  /**
   * Registers a handler. Throws an Error with controller-runtime's message when the path is registered, or another one when it is not a
   * path.
   */
  handle(path: string, handler: HttpHandler): void;
  readonly serve: HttpHandler;
}

export function createMux(): Mux {
  const handlers = new Map<string, HttpHandler>();
  return {
    handle(path, handler) {
      if (!path.startsWith('/') || /[{}\s]/.test(path))
        throw new Error(`invalid path ${JSON.stringify(path)}: expected /PATH, or /PATH/ for all below it`);
      if (handlers.has(path)) throw new Error(`can't register duplicate path: ${path}`);
      handlers.set(path, handler);
    },
    serve: request => route(request, handlers),
  };
}

/** Source: net/http ServeMux.findHandler and serverHandler.ServeHTTP. */
function route(request: HttpRequest, handlers: ReadonlyMap<string, HttpHandler>): HttpResponse | Promise<HttpResponse> {
  const { target, method, url } = request;
  if (url === '*')
    return method === 'OPTIONS' ? { status: 200, headers: [], body: '' } : { status: 400, headers: [], body: '', close: true };
  const exact = handlers.get(target.escapedPath);
  // Most requests have a clean registered path.
  if (exact !== undefined && cleanPath(target.escapedPath) === target.escapedPath) return exact(request);
  const path = method === 'CONNECT' ? target.escapedPath : cleanPath(target.escapedPath);
  const handler = findHandler(path, handlers);
  const withSlash = handler === undefined && !path.endsWith('/') ? handlers.get(`${unescapedSegments(path).join('/')}/`) : undefined;
  if (withSlash !== undefined) return redirect(request, { path: `${cleanPath(target.path)}/`, rawQuery: target.rawQuery });
  if (path !== target.escapedPath && method !== 'CONNECT') return redirect(request, { path, rawQuery: target.rawQuery });
  return handler === undefined ? errorResponse(404, '404 page not found') : handler(request);
}

/** Returns the handler of a path, or of the longest subtree that contains it. */
function findHandler(path: string, handlers: ReadonlyMap<string, HttpHandler>): HttpHandler | undefined {
  const segments = unescapedSegments(path);
  const isExact = !segments.slice(0, -1).some((segment, i) => i > 0 && segment.includes('/')) && !(segments.at(-1) ?? '').includes('/');
  const exact = isExact ? handlers.get(segments.join('/')) : undefined;
  if (exact !== undefined) return exact;
  for (let end = segments.length - 1; end >= 1; end -= 1) {
    const above = segments.slice(0, end);
    if (above.some(segment => segment.includes('/'))) continue;
    const subtree = handlers.get(`${above.join('/')}/`);
    if (subtree !== undefined) return subtree;
  }
  return undefined;
}

function unescapedSegments(path: string): string[] {
  return path.split('/').map(unescapePath);
}

/** Removes `.`, `..` and repeated slashes; a trailing slash is kept. Source: net/http cleanPath. */
function cleanPath(path: string): string {
  if (path === '') return '/';
  if (!/\/\/|\/\.|^[^/]/.test(path)) return path;
  const clean: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') clean.pop();
    else if (segment !== '' && segment !== '.') clean.push(segment);
  }
  const joined = `/${clean.join('/')}`;
  return path.endsWith('/') && joined !== '/' ? `${joined}/` : joined;
}

/** Source: net/http Redirect with an URL that has a path and a query. */
function redirect(request: HttpRequest, to: Pick<RequestTarget, 'path' | 'rawQuery'>): HttpResponse {
  const query = to.rawQuery === '' ? '' : `?${to.rawQuery}`;
  const location = cleanPath(escapePath(to.path)) + query;
  const shown = location.replace(/[^\x00-\x7f]/g, c => `%${c.charCodeAt(0).toString(16)}`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 307, headers: [['Location', shown]], body: '' };
  const body = request.method === 'GET' ? `<a href="${escapeHtml(location)}">${statusLineText(307)}</a>.\n\n` : '';
  return {
    status: 307,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Location', shown],
    ],
    body,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;' })[c] ?? '&#39;');
}
