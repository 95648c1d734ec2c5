import { pause } from './pause.js';
import { isRunning, killGroup, type ProcessGroup, signalGroup } from './process-group.js';

const rescanDelayMs = 20;

/**
 * Stops a process and all its descendants: SIGTERM, then SIGKILL for what still runs after the grace period. Resolves when none is left.
 */
export async function stopGroup(group: ProcessGroup, ended: Promise<void>, graceMs: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  const grace = pause(graceMs);
  let isOver = false;
  const given = grace.over.then(() => {
    isOver = true;
  });
  await Promise.race([ended, given]);
  // Listing the processes of a machine takes milliseconds: once is enough for a process that exits without a signal.
  while (isRunning(group)) {
    if (isOver) killGroup(group);
    await Promise.race([pause(rescanDelayMs).over, ...(isOver ? [] : [given])]);
  }
  grace.cancel();
  await ended;
}
