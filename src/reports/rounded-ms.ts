/** Returns a duration in milliseconds, rounded to tenths: clocks are not more exact. */
export function roundedMs(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}
