import { pause } from './pause.js';

/** How to find out whether a process is ready. */
export interface ReadinessOptions {
  /** Does it answer? Undefined when it does; otherwise why not. */
  readonly probe: () => Promise<string | undefined>;
  readonly timeoutMs: number;
  /** Settles when there is nothing left to wait for. */
  readonly ended: Promise<unknown>;
}

const shortestPauseMs = 20;
const longestPauseMs = 250;

/** Asks again and again until the process answers, has ended, or its time is over. Undefined when it is ready, else the last reason why not. */
export async function readiness({ probe, timeoutMs, ended }: ReadinessOptions): Promise<string | undefined> {
  const over = pause(timeoutMs);
  let isOver = false;
  const given = Promise.race([over.over, ended]).then(() => {
    isOver = true;
  });
  let reason = 'it was not heard of';
  for (let pauseMs = shortestPauseMs; !isOver; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const answer = await Promise.race([probe(), given.then(() => reason)]);
    if (answer === undefined) break;
    reason = answer;
    const rest = pause(pauseMs);
    await Promise.race([rest.over, given]);
    rest.cancel();
  }
  over.cancel();
  return isOver ? reason : undefined;
}
