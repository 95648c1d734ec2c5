/** Returns milliseconds of a monotonic clock. `performance` has one too, but takes half a millisecond to load. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
