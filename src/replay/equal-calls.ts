import { essentialText, essentialUser, keyOfCall } from './essential-text.js';
import type { LoggedEvent } from './logged-event.js';
import type { Change, Outcome } from './outcome.js';

/** Result of a call, as equal calls use it: what happened, or why that is not known. */
export type CallResult =
  | {
      readonly outcome: Outcome;
      readonly compared: readonly Change[];
      readonly waitedMs: number;
      readonly sent: number;
      readonly stored: string | undefined;
    }
  | { readonly unknown: string };

/** Results of calls whose reviews differ only in what the API server generates. */
export interface EqualCalls {
  /** Returns the result of an equal call, or makes this one. */
  readonly of: (
    event: LoggedEvent,
    world: { readonly stored: string; readonly epoch: string },
    make: () => Promise<MadeResult>,
  ) => Promise<{ readonly result: CallResult; readonly isReused: boolean }>;
  /** Returns all finished results, for a checkpoint. */
  readonly entries: () => Promise<readonly (readonly [string, CallResult])[]>;
}

/** `isRepeatable`: only webhooks without side effects were called. */
export type MadeResult = CallResult & { readonly isRepeatable?: boolean };

export interface EqualOptions {
  /** 0: every call is made. */
  readonly maxResults: number;
  readonly restored?: readonly (readonly [string, CallResult])[] | undefined;
}

/** Keeps the results that were used last. */
export function equalCalls({ maxResults, restored = [] }: EqualOptions): EqualCalls {
  const results = new Map<string, Promise<MadeResult>>(
    restored.map(([key, result]) => [key, Promise.resolve({ ...result, isRepeatable: true })]),
  );
  return {
    of: async (event, { stored, epoch }, make) => {
      if (maxResults === 0) return { result: await make(), isReused: false };
      const { verb, requestUri, userText, requestText } = event;
      const key = keyOfCall([verb, requestUri, essentialUser(userText), essentialText(requestText), essentialText(stored), epoch]);
      const earlier = results.get(key);
      if (earlier !== undefined) {
        results.delete(key);
        results.set(key, earlier);
        const result = await earlier;
        return result.isRepeatable === true ? { result, isReused: true } : { result: await make(), isReused: false };
      }
      const made = make();
      results.set(key, made);
      for (const oldest of results.keys()) {
        if (results.size <= maxResults) break;
        results.delete(oldest);
      }
      return { result: await made, isReused: false };
    },
    entries: async () => {
      const finished = await Promise.all([...results].map(async ([key, made]) => [key, await made] as const));
      return finished.filter(([, made]) => made.isRepeatable === true);
    },
  };
}
