import type { Launched } from './launch.js';
import { pause } from './pause.js';
import { isRunning, killGroup, signalGroup } from './process-group.js';

const lookAgainMs = 20;

/** Ends a process and everything it started: SIGTERM, and SIGKILL for what still runs after the grace. Settles when nothing of it is left. */
export async function stopProcess({ group, ended, expectEnd, forget }: Launched, graceMs: number): Promise<void> {
  expectEnd();
  signalGroup(group, 'SIGTERM');
  const grace = pause(graceMs);
  let isOver = false;
  const given = grace.over.then(() => {
    isOver = true;
  });
  await Promise.race([ended, given]);
  while (!isOver && isRunning(group)) await Promise.race([pause(lookAgainMs).over, given]);
  grace.cancel();
  killGroup(group);
  await ended;
  // The system takes a moment to end what was killed.
  while (isRunning(group)) {
    killGroup(group);
    await pause(lookAgainMs).over;
  }
  forget();
}
