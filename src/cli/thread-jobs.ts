import type { Surroundings } from './shell/surroundings.js';
import type { Port } from './threads/remote-functions.js';
import { type LoadJob, serveJobs } from './threads/serve-jobs.js';

/** What threads do, by the names that those who start them use. */
const jobs: Readonly<Record<string, LoadJob>> = {
  cases: async () => (await import('./commands/test/cases-job.js')).casesJob,
  checks: async () => (await import('./commands/lsp/checks-job.js')).checksJob,
  replay: async () => (await import('./commands/replay/replay-job.js')).replayJob,
  calls: async () => {
    const { callsJob } = await import('./work/calls/threads/call-part.js');
    return callsJob({
      match: async () => (await import('./commands/match/run-match.js')).prepareMatch,
      request: async () => (await import('./commands/request/run-request.js')).prepareRequest,
      review: async () => (await import('./commands/review/review.js')).prepareReview,
    });
  },
  files: async () => (await import('./commands/review/files/file-part.js')).filesJob,
};

/** The code of a thread: does jobs for the main thread, which is at the other end of the port. */
export function serveThread(port: Port, surroundings: Surroundings): void {
  serveJobs(port, surroundings, jobs);
}
