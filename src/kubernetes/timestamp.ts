import { memoizeStrings } from './memoize.js';

/** Returns a time as metadata holds it: UTC, whole seconds. */
export function timestampOf(now: Date): string {
  return textOfSecond(String(Math.floor(now.getTime() / 1000)));
}

/** Thousands of calls are made in one second, and Date takes as long for a text as decoding a small object does. */
const textOfSecond = memoizeStrings(1, second => `${new Date(Number(second) * 1000).toISOString().slice(0, 19)}Z`);
