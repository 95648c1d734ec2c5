import { essentialText, essentialUser, keyOfCall } from './essential-text.js';
import type { LoggedEvent } from './logged-event.js';
import type { CallOutcome, OutcomeChange } from './outcome.js';

/** Result of a call, as equal calls use it: what happened, or why that is not known. */
export type CallResult =
  | {
      readonly outcome: CallOutcome;
      readonly compared: readonly OutcomeChange[];
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
  /** Returns all results when they are finished, for a checkpoint. */
  readonly entries: () => Promise<readonly EqualEntry[]>;
}

/** Key, result, and characters that count against the limit. */
export type EqualEntry = readonly [string, MadeResult, number];

/** `isRepeatable`: only webhooks without side effects were called. */
export type MadeResult = CallResult & { readonly isRepeatable?: boolean };

export interface EqualOptions {
  /** Characters of all results; beyond it, those that were used least recently are forgotten. 0: every call is made. */
  readonly maxCharacters: number;
  readonly restored?: readonly EqualEntry[] | undefined;
}

interface Kept {
  readonly made: Promise<MadeResult>;
  readonly characters: number;
}

/** Keeps the results that were used last. */
export function equalCalls({ maxCharacters, restored = [] }: EqualOptions): EqualCalls {
  const results = new Map<string, Kept>(restored.map(([key, result, characters]) => [key, { made: Promise.resolve(result), characters }]));
  let held = restored.reduce((sum, [, , characters]) => sum + characters, 0);

  const keep = (key: string, kept: Kept): void => {
    results.set(key, kept);
    held += kept.characters;
    for (const [oldest, { characters }] of results) {
      if (held <= maxCharacters) return;
      results.delete(oldest);
      held -= characters;
    }
  };
  return {
    of: async (event, { stored, epoch }, make) => {
      if (maxCharacters === 0) return { result: await make(), isReused: false };
      const { verb, requestUri, userText, requestText } = event;
      const key = keyOfCall([verb, requestUri, essentialUser(userText), essentialText(requestText), essentialText(stored), epoch]);
      const earlier = results.get(key);
      if (earlier !== undefined) {
        results.delete(key);
        results.set(key, earlier);
        const result = await earlier.made;
        return result.isRepeatable === true ? { result, isReused: true } : { result: await make(), isReused: false };
      }
      const made = make();
      keep(key, { made, characters: charactersOfResult(event, stored) });
      return { result: await made, isReused: false };
    },
    entries: () => Promise.all([...results].map(async ([key, { made, characters }]) => [key, await made, characters] as const)),
  };
}

/** What a key and a result take without the stored object. */
const charactersOfEntry = 1000;

/**
 * Returns how much a result counts against the limit. It is estimated from the input: what is forgotten, and thus what is sent, must not depend on the time
 * at which webhooks answer.
 */
function charactersOfResult({ requestText, responseText }: LoggedEvent, stored: string): number {
  return charactersOfEntry + (responseText === '' ? 2 * Math.max(requestText.length, stored.length) : 0);
}
