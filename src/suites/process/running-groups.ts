import { killGroup, type ProcessGroup } from './process-group.js';

const running = new Set<ProcessGroup>();

/** When this process exits for whatever reason but SIGKILL, the group is ended with it. Answers how to forget it again. */
export function endWithUs(group: ProcessGroup): () => void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(group);
  return () => {
    running.delete(group);
    if (running.size === 0) process.off('exit', killAll);
  };
}

function killAll(): void {
  for (const group of running) killGroup(group);
}
