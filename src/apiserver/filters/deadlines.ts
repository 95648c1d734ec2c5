import { timeout } from '../../kubernetes/status-errors.js';
import type { Answer } from '../report.js';

/** How long a request may take, in milliseconds since it arrived. */
export interface Deadlines {
  /** The request as a whole, `timeout=` in its URL: enforced from outside the handlers. */
  readonly requestMs: number;
  /** The handlers of single objects give up by themselves, whatever the request asks for. */
  readonly handlerMs: number;
}

/** Source: apiserver endpoints/handlers requestTimeoutUpperBound. */
export const handlerLimitMs = 34_000;

/** Streams may go on for ever. */
export const noDeadlines: Deadlines = { requestMs: Number.POSITIVE_INFINITY, handlerMs: Number.POSITIVE_INFINITY };

/** What the timeout filter writes in place of an answer that comes too late: a Status without kind and apiVersion. Source: apiserver server/filters/timeout.go. */
const filterBody =
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

/** Did the time run out? Then the answer that the client gets instead: whole, or as an error for the handler to write. */
export function overdue(elapsedMs: number, { requestMs, handlerMs }: Deadlines): Answer | ReturnType<typeof timeout> | undefined {
  if (elapsedMs >= requestMs) return { status: 504, warnings: [], headers: {}, body: filterBody };
  return elapsedMs >= handlerMs ? timeout('request did not complete within requested timeout - context deadline exceeded', 0) : undefined;
}
