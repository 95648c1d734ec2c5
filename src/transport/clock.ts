/**
 * Milliseconds on a clock that goes on evenly, whatever is done to the machine's time. `performance` has them too, but half a millisecond
 * passes until it is loaded.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
