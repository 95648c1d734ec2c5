import { setTimeout } from 'node:timers/promises';
import { CliError } from '../../../client/cli-error.js';
import { mergedTally, newTally, type ReplayTally } from '../../../replay/tally.js';
import { threadCount } from '../../options/jobs.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { startWorker } from '../../threads/start-worker.js';
import type { JobsFlags } from '../../work/calls/shared-calls.js';
import type { ReplayJob } from './replay-job.js';
import type { ReplayFlagOptions } from './replay-options.js';
import { type PartProgress, replayPart } from './replay-part.js';

/** All threads of a replay. */
export interface ReplayThreads {
  /** Starts the threads, and returns what they have counted together. Throws CliError. */
  readonly run: (onLine: PartProgress['onLine']) => Promise<ReplayTally>;
  /** Returns what they have counted so far, and says on stderr when a thread does not answer. */
  readonly soFar: () => Promise<ReplayTally>;
}

/** Smaller input is done before a thread has started. */
const bytesWorthThreads = 16 * 1024 * 1024;

/** A thread answers between two lines; the process ends two seconds after an interruption, whether the report is written or not. */
const longestAnswerMs = 1000;

/** Prepares the threads that `--jobs` or the size of the input asks for: this one, and others for the rest. Throws CliError. */
export function replayThreads(options: ReplayFlagOptions, bytes: number | undefined, surroundings: Surroundings): ReplayThreads {
  const count = threadsOf(options, bytes, surroundings);
  let own = newTally();
  let others: readonly StartedThread[] = [];
  return {
    run: async onLine => {
      const shard = options.shard ?? { index: 1, count: 1 };
      // Every thread reads the whole input and makes its own part of the calls, so that nothing but the result is copied.
      const partOf = (thread: number) => ({ index: shard.index - 1 + thread * shard.count, count: shard.count * count, threads: count });
      others = Array.from({ length: count - 1 }, (_, i) => startedThread(options, partOf(i + 1), surroundings));
      try {
        const onStart = (tally: ReplayTally): void => {
          own = tally;
        };
        await replayPart(options, partOf(0), surroundings, { onStart, onLine });
        return (await Promise.all(others.map(({ tally }) => tally))).reduce(mergedTally, own);
      } finally {
        for (const { end } of others) end();
      }
    },
    soFar: async () => {
      const answered = await Promise.all(others.map(({ soFar }) => soFar()));
      const known = answered.filter(tally => tally !== undefined);
      if (known.length < answered.length)
        surroundings.stderr.write(
          `note: without the calls of ${answered.length - known.length} of ${count} threads, which did not answer\n`,
        );
      return known.reduce(mergedTally, own);
    },
  };
}

function threadsOf({ jobs = 'auto' }: JobsFlags, bytes: number | undefined, { startThread }: Surroundings): number {
  if (jobs !== 'auto') {
    if (jobs > 1 && bytes === undefined)
      throw new CliError('usage', 'several threads cannot read stdin', { suggestions: ['write the log to a file'] });
    return startThread === undefined ? 1 : jobs;
  }
  return bytes === undefined || bytes < bytesWorthThreads || startThread === undefined ? 1 : threadCount('auto');
}

interface StartedThread {
  readonly tally: Promise<ReplayTally>;
  /** Undefined for a thread that does not answer. */
  readonly soFar: () => Promise<ReplayTally | undefined>;
  readonly end: () => void;
}

function startedThread(options: ReplayFlagOptions, part: Parameters<typeof replayPart>[1], { startThread }: Surroundings): StartedThread {
  if (startThread === undefined) throw new Error('this runtime has no threads');
  const { call, end } = startWorker<ReplayJob>('replay', startThread);
  const tally = call('run', options, part);
  // It is awaited when this thread's own part is done.
  tally.catch(() => {});
  return {
    tally,
    soFar: () => {
      const answer = call('counted').catch(() => undefined);
      return Promise.race([answer, setTimeout(longestAnswerMs, undefined, { ref: false })]);
    },
    end,
  };
}
