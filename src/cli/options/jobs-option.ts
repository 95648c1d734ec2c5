import { free, one } from '../../client/options/option.js';
import { jobsValue } from '../../client/options/value-type.js';
import { maxJobs } from './jobs.js';

/** `--jobs` */
export const jobs = { ...one(jobsValue(maxJobs)), ...free, placeholder: 'N|auto' } as const;

/** `--jobs` of commands that make calls. */
export const callJobs = {
  jobs: {
    ...jobs,
    group: 'CALL',
    description: 'number of threads that make calls with --independent; auto, the default, is one for each core for 1,000 calls and more',
  },
} as const;
