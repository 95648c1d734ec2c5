import { randomUUID } from 'node:crypto';
import type { Effects } from '../../kubernetes/effects.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { undelayedMs } from '../../transport/delays.js';

/** Values that users may fix for reproducible output. */
export interface Fixed {
  readonly seed?: number | undefined;
  readonly now?: Date | undefined;
}

/** Returns what is fixed for a call of a run by its number, from 0: calls with the same seed must not get the same uids. */
export function fixedForCall({ seed, now }: Fixed, number: number): Fixed {
  if (seed === undefined || number === 0) return { seed, now };
  return { seed: Math.floor(seededRandom(seed ^ Math.imul(number, 0x9e3779b1))() * 2 ** 32), now };
}

/** Returns the side effects of one call: system randomness and clock, unless they are fixed. `clockMs` measures the time of the webhooks. */
export function effectsFor(callWebhook: CallWebhook, fixed: Fixed = {}, clockMs: () => number = undelayedMs): Effects {
  const { call, elapsedMs } = timed(callWebhook, clockMs);
  const random = fixed.seed === undefined ? Math.random : seededRandom(fixed.seed);
  return {
    callWebhook: call,
    uid: fixed.seed === undefined ? randomUUID : () => uidFrom(random),
    now: () => fixed.now ?? new Date(),
    random,
    elapsedMs,
  };
}

/** The API server's own work takes about as long. That of this program is slower and depends on the machine, so it does not count. */
const ownWorkMs = 1;

/** Measures the time in which at least one webhook is called. */
function timed(callWebhook: CallWebhook, clockMs: () => number): { readonly call: CallWebhook; readonly elapsedMs: () => number } {
  const started = clockMs();
  let running = 0;
  let since = started;
  let waitedMs = 0;
  return {
    async call(webhookCall, onStage) {
      if (running === 0) since = clockMs();
      running += 1;
      try {
        return await callWebhook(webhookCall, onStage);
      } finally {
        running -= 1;
        if (running === 0) waitedMs += clockMs() - since;
      }
    },
    elapsedMs: () => waitedMs + (running === 0 ? 0 : clockMs() - since) + Math.min(clockMs() - started, ownWorkMs),
  };
}

/** Returns a generator of numbers in [0, 1) with a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns a version 4 UUID made of random numbers. */
function uidFrom(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + ((digits[16] ?? 0) % 4);
  const hex = digits.map(d => d.toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
