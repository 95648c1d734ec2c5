/**
 * Returns a function that runs functions, `count` of them at the same time; others wait, in order. Those that wait when the signal is aborted never run, and
 * their promises stay pending.
 */
export function placesFor(count: number, signal: AbortSignal): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = count;
  signal.addEventListener('abort', () => waiting.splice(0));
  return async run => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve));
    else free -= 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
