import { pause } from './pause.js';

/** Options of a readiness check. */
export interface ReadinessOptions {
  /** Probes the process. Undefined when it answers; otherwise the reason why not. */
  readonly probe: () => Promise<string | undefined>;
  readonly timeoutMs: number;
  /** Resolves when waiting is pointless. */
  readonly ended: Promise<unknown>;
}

const minPauseMs = 20;
const maxPauseMs = 50;

/** Probes repeatedly until the process answers, has exited, or the timeout has passed. Undefined when it is ready, else the last reason. */
export async function readiness({ probe, timeoutMs, ended }: ReadinessOptions): Promise<string | undefined> {
  const over = pause(timeoutMs);
  let isOver = false;
  const given = Promise.race([over.over, ended]).then(() => {
    isOver = true;
  });
  let reason = 'no answer';
  for (let pauseMs = minPauseMs; !isOver; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
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
