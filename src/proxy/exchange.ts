import type { HttpMessage } from './http-messages.js';

/** One request that passed through the proxy, and its response. */
export interface SeenExchange {
  readonly request: HttpMessage;
  /** The webhook's own response; undefined if it was not called or did not respond. */
  readonly answer: HttpMessage | undefined;
  readonly at: Date;
  /** From the complete request to the complete response. */
  readonly durationMs: number;
  /** Injected faults, as given. */
  readonly faults: readonly string[];
}

/** Returns the request target: path and query. */
export function targetOfReview({ start }: HttpMessage): string {
  return start.split(' ')[1] ?? '/';
}

/** Returns the status of a response. */
export function statusOfExchange({ start }: HttpMessage): number {
  return Number(start.slice(9, 12));
}
