import type { Change } from './change-log.js';

/** Tells listeners about changes, in order: what a listener writes is told after the change that it heard about. */
export interface Publisher {
  publish(change: Change): void;
  /** Returns how to stop listening. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** A publisher without listeners. */
export function newPublisher(): Publisher {
  const listeners = new Set<(change: Change) => void>();
  const waiting: Change[] = [];
  let isRunning = false;
  return {
    publish: change => {
      waiting.push(change);
      if (isRunning) return;
      isRunning = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) for (const listener of [...listeners]) listener(next);
      } finally {
        isRunning = false;
      }
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
