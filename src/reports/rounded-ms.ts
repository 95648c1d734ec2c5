/** Returns a duration in milliseconds, rounded to tenths: clocks are not more exact. */
export function roundedMs(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}

/** Returns a time in milliseconds of a step, rounded to microseconds. */
export function roundedToMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
