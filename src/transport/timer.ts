import { monotonicMs } from './clock.js';

/** Max delay of a timer in Node; longer ones fire at once. */
const longestTimer = 0x7fffffff;

/**
 * Calls `react` after some milliseconds, never earlier; returns a function that stops the timer. Node's own timers count whole
 * milliseconds and may fire up to two of them early, so that the deadline of a webhook could expire before the equal one of its request.
 */
export function startTimer(react: () => void, milliseconds: number): () => void {
  const end = monotonicMs() + milliseconds;
  let timer = setTimeout(check, Math.min(milliseconds, longestTimer));
  function check(): void {
    const left = end - monotonicMs();
    if (left > 0) timer = setTimeout(check, Math.min(Math.ceil(left), longestTimer));
    else react();
  }
  return () => clearTimeout(timer);
}
