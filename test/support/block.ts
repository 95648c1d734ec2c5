import { monotonicMs } from '../../src/transport/clock.js';

/** Blocks the event loop, as a busy process or machine does. */
export function block(milliseconds: number): void {
  const end = monotonicMs() + milliseconds;
  while (monotonicMs() < end);
}
