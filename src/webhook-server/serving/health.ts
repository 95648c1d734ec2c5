import { compareKeys } from '../../go/key-order.js';
import { quote } from '../../go/quote.js';
import { messageOfResponse } from '../api/responses.js';
import type { HealthCheck } from '../api/types.js';
import { errorResponse, type HttpHandler, type HttpRequest, type HttpResponse, sniffedText } from '../http/message.js';
import type { Mux } from '../http/mux.js';

/** Serves an endpoint and a path for each of its checks. Source: controller-runtime healthz.Handler in a manager's mux. */
export function handleHealth(mux: Mux, path: string, checks: ReadonlyMap<string, HealthCheck>): void {
  const handler: HttpHandler = request =>
    answerHealth(request, request.target.path.slice(path.length), checks.size === 0 ? pingOnly : checks);
  mux.handle(path, handler);
  mux.handle(`${path}/`, handler);
}

const pingOnly: ReadonlyMap<string, HealthCheck> = new Map([['ping', () => undefined]]);

async function answerHealth(request: HttpRequest, below: string, checks: ReadonlyMap<string, HealthCheck>): Promise<HttpResponse> {
  if (below === '' || below === '/') return answerAll(request, checks);
  const check = checks.get(below.slice(1));
  if (check === undefined) return errorResponse(404, '404 page not found');
  const failure = await runHealthCheck(check, request);
  return failure === undefined ? sniffedText('ok') : errorResponse(500, `internal server error: ${failure}`);
}

async function answerAll(request: HttpRequest, checks: ReadonlyMap<string, HealthCheck>): Promise<HttpResponse> {
  const query = new URLSearchParams(validQuery(request.target.rawQuery));
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let failed = false;
  for (const name of [...checks.keys()].sort(compareKeys)) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    const failure = await runHealthCheck(checks.get(name) ?? (() => undefined), request);
    failed ||= failure !== undefined;
    lines.push(failure === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
  }
  if (!failed && !query.has('verbose')) return plainText(200, 'ok');
  if (excluded.size > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${[...excluded].map(quote).join(',')}`);
  }
  return plainText(failed ? 500 : 200, `${lines.join('\n')}\nhealthz check ${failed ? 'failed' : 'passed'}\n`);
}

/** Returns the query as Go parses it: parameters with a semicolon or an invalid escape are dropped. */
function validQuery(rawQuery: string): string {
  return rawQuery
    .split('&')
    .filter(part => !part.includes(';') && !/%(?![0-9a-fA-F]{2})/.test(part))
    .join('&');
}

function plainText(status: number, body: string): HttpResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body,
  };
}

async function runHealthCheck(check: HealthCheck, { url, headers }: HttpRequest): Promise<string | undefined> {
  try {
    await check({ url, headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')])) });
    return undefined;
  } catch (error) {
    return messageOfResponse(error);
  }
}
