import { monotonicMs } from '../../../../transport/clock.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { sendAhead } from '../../../threads/send-ahead.js';
import type { ThreadJob } from '../../../threads/serve-jobs.js';
import { type CopiedResult, copiedResult } from '../copied-result.js';
import { repeatedPlanning } from '../planning.js';
import type { PreparedCalls } from '../prepared-calls.js';
import { renderResults } from '../rendered-results.js';
import { type NumberedResults, recorded, type SharedCalls, type ThreadedCommand, type ThreadedFlags, takenCalls } from '../shared-calls.js';

/** More results are sent at once, or those of this time. */
const resultsAtOnce = 16;
const longestMs = 50;

/** The job of making calls. */
export interface CallsJob {
  /** Makes a share of the calls of a command. Returns false if the input has changed. */
  readonly make: (shared: SharedCalls) => Promise<boolean>;
}

/** What the job of making calls asks of the main thread. */
export interface CallsMain {
  readonly made: (results: NumberedResults) => Promise<void>;
}

type PrepareCalls = (flags: ThreadedFlags, surroundings: Surroundings) => PreparedCalls | Promise<PreparedCalls>;

/** Loads what prepares the calls of a command. */
export type LoadPrepare = Readonly<Record<ThreadedCommand['command'], () => Promise<PrepareCalls>>>;

/** Returns the job of making calls of these commands. */
export function callsJob(load: LoadPrepare): ThreadJob<CallsJob, CallsMain> {
  return ({ surroundings, callMain }) => ({
    make: async shared => {
      const prepare = await load[shared.command]();
      return makePart(shared, { prepare, surroundings, send: results => callMain('made', results) });
    },
  });
}

interface PartContext {
  readonly prepare: PrepareCalls;
  readonly surroundings: Surroundings;
  readonly send: (results: NumberedResults) => Promise<void>;
}

/** Makes a thread's share of the calls. Returns false, without any call, if the input is no longer what the main thread has read. */
async function makePart(shared: SharedCalls, { prepare, surroundings, send }: PartContext): Promise<boolean> {
  const prepared = await prepare(shared.flags, {
    ...repeatedPlanning(shared, surroundings),
    stdout: { ...surroundings.stdout, ...shared.terminal },
    // The main thread prints warnings.
    stderr: { ...surroundings.stderr, write: () => {} },
  });
  if (prepared.total !== shared.total) return false;
  const numbers: number[] = [];
  let results: [number, CopiedResult][] = [];
  let sentAt = monotonicMs();
  const ahead = sendAhead(send);
  for await (const result of renderResults(prepared.results(recorded(takenCalls(shared), numbers)), prepared.rendering)) {
    results.push([numbers.shift() ?? -1, copiedResult(result)]);
    if (results.length < resultsAtOnce && monotonicMs() - sentAt < longestMs) continue;
    await ahead.send(results);
    results = [];
    sentAt = monotonicMs();
  }
  await ahead.send(results);
  await ahead.end();
  return true;
}
