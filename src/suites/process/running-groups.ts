import { killGroup, type ProcessGroup } from './process-group.js';

const running = new Set<ProcessGroup>();

/** Kills the group when this process exits for any reason except SIGKILL. Returns a function that unregisters it. */
export function killOnExit(group: ProcessGroup): () => void {
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
