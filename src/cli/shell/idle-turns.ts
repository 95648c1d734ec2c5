import { monotonicMs } from '../../transport/clock.js';

/** A shorter turn of the event loop did no work for a running case. */
const idleMs = 2;

/** A loop that is never idle must not stop the run. */
const maxTurns = 200;

/**
 * Returns a function that resolves when the event loop has become idle, for one caller after another. A case that starts then
 * does not spend its deadlines on the work of the cases before it.
 */
export function idleTurns(): () => Promise<void> {
  let previous = Promise.resolve();
  return () => {
    previous = previous.then(waitUntilIdle);
    return previous;
  };
}

async function waitUntilIdle(): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const start = monotonicMs();
    await nextTurn();
    if (monotonicMs() - start < idleMs) return;
  }
}

/** Returns a function that lets the event loop turn if the last turn was some time ago. */
export function turnEvery(ms: number): () => Promise<void> | undefined {
  let last = monotonicMs();
  return () => {
    if (monotonicMs() - last < ms) return undefined;
    return nextTurn().then(() => {
      last = monotonicMs();
    });
  };
}

/** The module with Node's own promise of this takes milliseconds to load. */
function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
