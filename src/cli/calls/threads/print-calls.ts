import { availableParallelism } from 'node:os';
import { CliError } from '../../../client/cli-error.js';
import { kustomizationIn } from '../../../client/manifests/input-path.js';
import { onceFinal } from '../../../client/results-in-order.js';
import { type ClusterFlags, choosesCluster } from '../../cluster/cluster-flags.js';
import type { ExitCode } from '../../exit-codes.js';
import { turnEvery } from '../../idle-turns.js';
import type { Surroundings, Thread } from '../../surroundings.js';
import { casesWorthThreads, maxJobs } from '../../test/threads/jobs.js';
import { connectThreads } from '../../test/threads/remote-functions.js';
import type { MainFunctions, ThreadFunctions } from '../../test/threads/thread-functions.js';
import type { PreparedCalls } from '../prepared-calls.js';
import { printRendered, printResults } from '../print-results.js';
import { type RenderedResult, renderedResults } from '../rendered-results.js';
import { resultOf } from './copied-result.js';
import type { JobsFlags } from './jobs-flags.js';
import type { Planning } from './planning.js';
import { recorded, type SharedCalls, type ThreadedCommand, takenCalls } from './shared-calls.js';

export interface CallsToPrint extends ThreadedCommand {
  readonly flags: ThreadedCommand['flags'] & ClusterFlags & JobsFlags & { readonly toolVersion?: unknown };
  readonly prepared: PreparedCalls;
  /** What planning read. */
  readonly planning: () => Planning;
}

/** Makes prepared calls, in several threads if that pays and they are independent, and prints their results in order. */
export function printCalls({ command, flags, prepared, planning }: CallsToPrint, surroundings: Surroundings): Promise<ExitCode> {
  const { total, rendering, results } = prepared;
  const count = threadsOf(flags, prepared, surroundings);
  const { startThread } = surroundings;
  if (count === 1 || startThread === undefined) return printResults(results(), { ...rendering, total }, surroundings);
  const { isTerminal, columns } = surroundings.stdout;
  const shared: SharedCalls = {
    ...{ command, total, flags: { ...flags, toolVersion: undefined } as ThreadedCommand['flags'] },
    ...planning(),
    next: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    terminal: { isTerminal, columns },
  };
  const made = inThreads(shared, prepared, () => Array.from({ length: count - 1 }, startThread));
  const final = onceFinal(made, {
    isFailure: ({ isFailure }) => isFailure,
    waitsForOthers: ({ asOnlyFailure }) => asOnlyFailure !== undefined,
    final: (result, isOnly) => (isOnly ? (result.asOnlyFailure ?? result) : result),
  });
  return printRendered(final, { ...rendering, total }, surroundings);
}

/** Returns the number of threads, and says why it is one although more were asked for. */
function threadsOf(
  flags: CallsToPrint['flags'],
  { total, whyOneThread: own }: PreparedCalls,
  { stderr, startThread }: Surroundings,
): number {
  const { jobs = 'auto' } = flags;
  if (startThread === undefined || jobs === 1 || total < 2) return 1;
  if (jobs === 'auto' && total < casesWorthThreads) return 1;
  const reason = own ?? whyOneThread(flags);
  if (reason === undefined) return jobs === 'auto' ? Math.min(availableParallelism(), maxJobs) : jobs;
  if (jobs !== 'auto') stderr.write(`note: one thread makes the calls: ${reason}\n`);
  return 1;
}

function whyOneThread(flags: CallsToPrint['flags']): string | undefined {
  if (choosesCluster(flags)) return 'they share one connection to a cluster';
  if (flags.independent !== true) return 'each sees what earlier ones wrote, unless you pass --independent';
  const paths = [...(flags.filename ?? []), ...(flags.state ?? [])];
  return paths.some(path => kustomizationIn(path) !== undefined) ? 'a kustomization is built once' : undefined;
}

/** Makes the calls here and in other threads, and returns their results in order. */
async function* inThreads(
  shared: SharedCalls,
  { results, rendering }: PreparedCalls,
  startThreads: () => readonly Thread[],
): AsyncGenerator<RenderedResult> {
  const arrived = new Map<number, RenderedResult>();
  let waiting: { wake(): void; fail(error: unknown): void } | undefined;
  let failure: { readonly error: unknown } | undefined;
  let threads: readonly Thread[] = [];
  const arrive = (number: number, result: RenderedResult): void => {
    arrived.set(number, result);
    waiting?.wake();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    waiting?.fail(error);
  };
  const own = async (): Promise<void> => {
    const numbers: number[] = [];
    const passTurn = turnEvery(maxTurnMs);
    for await (const result of renderedResults(results(recorded(takenCalls(shared), numbers)), rendering)) {
      arrive(numbers.shift() ?? -1, result);
      // The first result does not wait for threads to start.
      if (threads.length === 0) {
        threads = startThreads();
        for (const thread of threads) void makeIn(thread, shared, arrive).catch(fail);
      }
      await passTurn();
    }
  };
  void own().catch(fail);
  try {
    for (let number = 0; number < shared.total; number += 1) {
      while (!arrived.has(number)) {
        if (failure !== undefined) throw failure.error;
        await new Promise<void>((resolve, reject) => {
          waiting = { wake: resolve, fail: reject };
        });
      }
      yield arrived.get(number) as RenderedResult;
      arrived.delete(number);
    }
  } finally {
    for (const thread of threads) void thread.terminate();
  }
}

/** Messages of threads arrive between turns of the event loop. */
const maxTurnMs = 20;

async function makeIn(thread: Thread, shared: SharedCalls, arrive: (number: number, result: RenderedResult) => void): Promise<void> {
  const functions: MainFunctions = {
    fault: async () => undefined,
    written: async () => 0,
    since: async () => [],
    read: async () => {},
    made: async made => {
      for (const [number, result] of made) arrive(number, resultOf(result));
    },
  };
  const { call, fail } = connectThreads<ThreadFunctions>(thread, { ...functions });
  thread.on('error', fail);
  thread.on('exit', exitCode => fail(new Error(`a thread that makes calls ended with exit code ${exitCode}`)));
  if (await call('calls', shared)) return;
  throw new CliError('unreadable-file', 'the input changed while it was read', { suggestions: ['run the command again'] });
}
