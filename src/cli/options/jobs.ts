import { availableParallelism } from 'node:os';

/** Most threads of a run. */
export const maxJobs = 64;

/** Smallest number of cases for which threads pay: V8 compiles the program again in each of them. */
export const casesWorthThreads = 1000;

/** Returns the number of threads for suites of so many selected cases; by default one for each core if a suite is large. */
export function jobsOf(jobs: number | 'auto' | undefined, cases: readonly number[]): number {
  if (jobs !== undefined && jobs !== 'auto') return jobs;
  return cases.some(count => count >= casesWorthThreads) ? threadCount('auto') : 1;
}

/** Returns the number of threads for much work; by default one for each core. */
export function threadCount(jobs: number | 'auto'): number {
  return jobs === 'auto' ? Math.min(availableParallelism(), maxJobs) : jobs;
}
