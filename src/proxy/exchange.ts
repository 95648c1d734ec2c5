import type { HttpMessage } from './http-messages.js';

/** One request that passed the proxy, and its answer. */
export interface SeenExchange {
  readonly request: HttpMessage;
  /** The webhook's own answer; undefined when it was not asked, or did not answer. */
  readonly answer: HttpMessage | undefined;
  readonly at: Date;
  /** From the whole request to the whole answer. */
  readonly durationMs: number;
  /** Faults that were played, as they were given. */
  readonly faults: readonly string[];
}

/** Returns the request target: path and query. */
export function targetOf({ start }: HttpMessage): string {
  return start.split(' ')[1] ?? '/';
}

/** Returns the status of an answer. */
export function statusOf({ start }: HttpMessage): number {
  return Number(start.slice(9, 12));
}
