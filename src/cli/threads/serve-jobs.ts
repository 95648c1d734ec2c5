import { ownMember } from '../../go/own-members.js';
import type { Surroundings } from '../shell/surroundings.js';
import { connectThreads, type OwnFunctions, type Port, type RemoteFunctions, type ThreadConnection } from './remote-functions.js';

/** What a job is given: the surroundings of its thread, and the functions of the main thread. */
export interface JobContext<Main extends RemoteFunctions<Main>> {
  readonly surroundings: Surroundings;
  readonly callMain: ThreadConnection<Main>['call'];
}

/** A kind of work that threads do for the main thread: returns the functions that the main thread calls. */
export type ThreadJob<Own extends RemoteFunctions<Own>, Main extends RemoteFunctions<Main> = Record<never, never>> = (
  context: JobContext<Main>,
) => Own;

/** Loads a job. */
export type LoadJob = () => Promise<(context: JobContext<never>) => object>;

/** Does jobs for the main thread, which is at the other end of the port: the code of a thread. A job is loaded when one of its functions is called first. */
export function serveJobs(port: Port, surroundings: Surroundings, jobs: Readonly<Record<string, LoadJob>>): void {
  const begun = new Map<string, Promise<OwnFunctions>>();
  const begin = async (job: string): Promise<OwnFunctions> => {
    const load = ownMember(jobs, job);
    if (load === undefined) throw new Error(`threads have no job ${job}`);
    return (await load())({ surroundings, callMain: main.call as never }) as OwnFunctions;
  };
  const find = async (called: string): Promise<OwnFunctions[string] | undefined> => {
    const [job = '', name = ''] = called.split('.');
    const functions = begun.get(job) ?? begin(job);
    begun.set(job, functions);
    return ownMember(await functions, name);
  };
  const main = connectThreads<Record<never, never>>(port, find);
}
