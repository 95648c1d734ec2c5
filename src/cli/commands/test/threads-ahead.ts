import { casesWorthThreads, jobsOf } from '../../options/jobs.js';
import type { TestFlags } from '../../options/test-flags.js';
import type { Surroundings, Thread } from '../../shell/surroundings.js';

/** Threads of a large folder, which start while its manifests are read. */
export interface ThreadsAhead {
  /** Starts the threads for so many manifests, if a run of all of them would start them. */
  readonly start: (manifests: number) => void;
  /** Surroundings whose `startThread` returns these threads before it starts others. */
  readonly surroundings: Surroundings;
  /** Ends threads that the run did not need. */
  readonly end: () => void;
}

/** Prepares to start the threads of a run before its suites are known; none where the runtime does not support threads. */
export function threadsAhead({ jobs, run }: Pick<TestFlags, 'jobs' | 'run'>, surroundings: Surroundings): ThreadsAhead {
  const { startThread } = surroundings;
  const threads: Thread[] = [];
  if (startThread === undefined) return { start: () => {}, surroundings, end: () => {} };
  return {
    start: manifests => {
      // A pattern selects few cases.
      if (manifests < casesWorthThreads || run !== undefined) return;
      const count = jobsOf(jobs, [manifests]) - 1;
      while (threads.length < count) threads.push(rememberingItsEnd(startThread()));
    },
    surroundings: { ...surroundings, startThread: () => threads.shift() ?? startThread() },
    end: () => {
      for (const thread of threads.splice(0)) void thread.terminate();
    },
  };
}

/** Returns a thread that tells late listeners that it has ended. */
function rememberingItsEnd(thread: Thread): Thread {
  const ends = new Map<string, unknown>();
  for (const event of ['error', 'exit'] as const) thread.on(event, value => ends.set(event, value));
  return {
    postMessage: message => thread.postMessage(message),
    on: (event, listener) => {
      thread.on(event, listener);
      if (ends.has(event)) listener(ends.get(event));
    },
    terminate: () => thread.terminate(),
  };
}
