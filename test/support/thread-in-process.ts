import { MessageChannel } from 'node:worker_threads';
import type { Surroundings, Thread } from '../../src/cli/shell/surroundings.js';
import { serveThread } from '../../src/cli/thread-jobs.js';

/** A thread that runs in this process, but copies all messages as a real one does. */
export function threadInProcess(surroundings: Surroundings): Thread {
  const { port1, port2 } = new MessageChannel();
  serveThread(port2, surroundings);
  return {
    on: (event, listener) => port1.on(event, listener),
    postMessage: message => port1.postMessage(message),
    terminate: () => port1.close(),
  };
}
