import type { Thread } from '../shell/surroundings.js';
import { connectThreads, type OwnFunctions, type RemoteFunctions, type ThreadConnection } from './remote-functions.js';

/** A thread that does a job for this one. */
export interface Worker<Job extends RemoteFunctions<Job>> {
  /** Calls a function of the job. Fails when the thread has ended. */
  readonly call: ThreadConnection<Job>['call'];
  /** Ends the thread, whatever it does. */
  readonly end: () => void;
}

/** Starts a thread for a job of the table of jobs. `functions` are those that the job calls in this thread. */
export function startWorker<Job extends RemoteFunctions<Job>>(job: string, startThread: () => Thread, functions: object = {}): Worker<Job> {
  const thread = startThread();
  const { call, fail } = connectThreads<Job>(thread, functions as OwnFunctions, `${job}.`);
  thread.on('error', fail);
  thread.on('exit', exitCode => fail(new Error(`a thread for ${job} ended with exit code ${exitCode}`)));
  return { call, end: () => void thread.terminate() };
}
