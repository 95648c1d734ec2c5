import type { Change } from './change.js';

/** Notifies listeners of changes in order: a write by a listener is published after the change that triggered it. */
export interface Publisher {
  publish(change: Change): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
}

/** Creates a publisher without listeners. */
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
