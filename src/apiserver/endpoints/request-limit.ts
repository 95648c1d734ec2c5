import { parseDuration } from '../../go/duration.js';
import { TimeError } from '../../go/quote-for-time.js';
import type { ApiCall } from '../../kubernetes/api-call.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { queryOfRequest, requestInfoOf } from '../call/request-info.js';
import { flagIn } from '../storage/list-options.js';

/** Subresources whose requests have no time limit. */
const longRunning = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Max time of a request in milliseconds. */
const maximumMs = 60_000;

/**
 * Returns the time limit of a request in milliseconds: the `timeout` of its URL, or the server's max when that is absent, not positive or
 * greater; Infinity for watches and connections. Throws a 400 for an invalid duration, on every path. Source: apiserver
 * endpoints/filters/request_deadline.go, server/filters/longrunning.go.
 */
export function requestLimitMs(request: Pick<ApiCall, 'method' | 'path'>): number {
  if (isLongRunning(request)) return Number.POSITIVE_INFINITY;
  const text = queryOfRequest(request.path).get('timeout')?.[0] ?? '';
  if (text === '') return maximumMs;
  const asked = durationMs(text);
  return asked <= 0 || asked > maximumMs ? maximumMs : asked;
}

function isLongRunning({ method, path }: Pick<ApiCall, 'method' | 'path'>): boolean {
  const info = requestInfoOf(path);
  if (info.type === 'other') return false;
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    longRunning.has(info.subresource) || info.watches || (isRead && info.name === '' && flagIn(queryOfRequest(path), 'watch') === true)
  );
}

function durationMs(text: string): number {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (error instanceof TimeError) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}
