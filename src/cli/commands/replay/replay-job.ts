import type { CallPart } from '../../../replay/replay-log.js';
import type { ReplayTally } from '../../../replay/tally.js';
import type { JobContext } from '../../threads/serve-jobs.js';
import type { ReplayFlagOptions } from './replay-options.js';
import { replayPart } from './replay-part.js';

/** The job of replaying a part of the calls of logs. */
export interface ReplayJob {
  /** Replays a part of the calls, and returns what it counted. */
  readonly run: (options: ReplayFlagOptions, part: CallPart & { readonly threads: number }) => Promise<ReplayTally>;
  /** Returns what was counted so far; undefined before the replay has started. */
  readonly counted: () => Promise<ReplayTally | undefined>;
}

/** Returns the job of replaying calls. */
export function replayJob({ surroundings }: Pick<JobContext<never>, 'surroundings'>): ReplayJob {
  let counted: ReplayTally | undefined;
  return {
    run: (options, part) =>
      replayPart(options, part, surroundings, {
        onStart: tally => {
          counted = tally;
        },
      }),
    counted: async () => counted,
  };
}
