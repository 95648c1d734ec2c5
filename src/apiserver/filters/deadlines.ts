import { timeout } from '../../kubernetes/status-errors.js';
import type { Answer } from '../report/report.js';

/** Time limits of a request, in milliseconds since its arrival. */
export interface Deadlines {
  /** Limit of the whole request, `timeout=` in its URL; enforced outside the handlers. */
  readonly requestMs: number;
  /** Limit in the handlers of single objects, independent of the requested timeout. */
  readonly handlerMs: number;
}

/** Source: apiserver endpoints/handlers requestTimeoutUpperBound. */
export const handlerLimitMs = 34_000;

/** Streams have no time limit. */
export const noDeadlines: Deadlines = { requestMs: Number.POSITIVE_INFINITY, handlerMs: Number.POSITIVE_INFINITY };

/**
 * Body that the timeout filter writes for a late answer: a Status without kind and apiVersion. Source: apiserver server/filters/timeout.go.
 */
export const filterBody =
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

/**
 * Returns the answer to a request that exceeded a limit: a complete answer, or an error for the handler to write; undefined when in time.
 */
export function overdue(elapsedMs: number, { requestMs, handlerMs }: Deadlines): Answer | ReturnType<typeof timeout> | undefined {
  if (elapsedMs >= requestMs) return { status: 504, warnings: [], headers: {}, body: filterBody };
  return elapsedMs >= handlerMs ? timeout('request did not complete within requested timeout - context deadline exceeded', 0) : undefined;
}
