import { maxJobs } from './jobs.js';
import { jobsFlag } from './values.js';

/** `--jobs` of commands that make calls. */
export const callJobs = {
  jobs: jobsFlag({
    helpGroup: 'CALL',
    max: maxJobs,
    helpValue: 'N|auto',
    description: 'number of threads that make calls with --independent; auto, the default, is one for each core for 1,000 calls and more',
  }),
};
