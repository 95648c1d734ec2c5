import { availableParallelism } from 'node:os';
import { definitionsOf } from '../../../apiserver/endpoints/definitions.js';
import { operationOf } from '../../../client/calls/plan.js';
import { CliError } from '../../../client/cli-error.js';
import { kustomizationIn } from '../../../client/manifests/input-path.js';
import { onceFinal } from '../../../client/results-in-order.js';
import { printable } from '../../../reports/printable.js';
import { choosesCluster } from '../../cluster/cluster-flags.js';
import type { ExitCode } from '../../exit-codes.js';
import { turnEvery } from '../../idle-turns.js';
import { inputSources } from '../../input/files.js';
import { noObjects } from '../../input/read-manifests.js';
import { readState } from '../../input/state.js';
import type { Surroundings, Thread } from '../../surroundings.js';
import { casesWorthThreads, maxJobs } from '../../test/threads/jobs.js';
import { connectThreads } from '../../test/threads/remote-functions.js';
import type { MainFunctions, ThreadFunctions } from '../../test/threads/thread-functions.js';
import { printRendered } from '../print-results.js';
import type { RenderedResult, Rendering } from '../rendered-results.js';
import type { ReviewFlags } from '../review-flags.js';
import { resultOf } from './copied-result.js';
import { batchesOf, type FileBatch, type FileCalls, madeBatches, type SharedFiles, selectionOf } from './file-batches.js';
import { recordPlanning } from './planning.js';

/**
 * Reviews many files whose calls need nothing of each other: each is read when its turn comes, and dropped with its results, and threads share
 * the files. Returns undefined, without output, if all files have to be read first.
 */
export async function printFiles(flags: ReviewFlags, given: Rendering, surroundings: Surroundings): Promise<ExitCode | undefined> {
  if (needsAllFiles(flags)) return undefined;
  const sources = sourcesOf(flags, surroundings);
  if (sources.length < casesWorthThreads) return undefined;
  operationOf(flags);
  const { surroundings: recorded, planning } = recordPlanning(surroundings);
  const state = await readState(flags, recorded);
  // Definitions that no document needs get a warning before the first call.
  if (state.source !== undefined || definitionsOf(state).length > 0) return undefined;
  const { isTerminal, columns } = surroundings.stdout;
  const shared: SharedFiles = {
    ...{ flags: { ...flags, toolVersion: undefined }, sources },
    ...planning(),
    next: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    terminal: { isTerminal, columns },
  };
  const rendering = { ...given, isOnlyOne: false };
  const made = resultsOf({ shared, state, rendering }, threadsOf(flags, surroundings), surroundings);
  const final = onceFinal(made, {
    isFailure: ({ isFailure }) => isFailure,
    waitsForOthers: ({ asOnlyFailure }) => asOnlyFailure !== undefined,
    final: (result, isOnly) => (isOnly ? (result.asOnlyFailure ?? result) : result),
  });
  return printRendered(final, { ...rendering, total: sources.length }, surroundings);
}

/** Numbers of calls, stored objects of other flags, and checks need what all files contain. */
function needsAllFiles(flags: ReviewFlags): boolean {
  const { filename, state = [], seed, call, old, patchFile, createdPods, check, compare, againstCluster, open, output, include } = flags;
  const others = [seed, call, old, patchFile, createdPods, check, compare, againstCluster, open].some(value => value !== undefined);
  if (filename === undefined || others || include?.includes('steps') === true || output === 'html' || choosesCluster(flags)) return true;
  return [...filename, ...state].some(path => path === '-' || path === '' || kustomizationIn(path) !== undefined);
}

/** Where paths lead to nothing, the error is that of reading them. */
function sourcesOf(flags: ReviewFlags, { cwd }: Surroundings): readonly string[] {
  try {
    return inputSources(selectionOf(flags), cwd);
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

function threadsOf({ jobs = 'auto' }: ReviewFlags, { startThread }: Surroundings): () => readonly Thread[] {
  const count = jobs === 'auto' ? Math.min(availableParallelism(), maxJobs) : jobs;
  return () => (startThread === undefined ? [] : Array.from({ length: count - 1 }, startThread));
}

async function* resultsOf(
  calls: FileCalls,
  startThreads: () => readonly Thread[],
  surroundings: Surroundings,
): AsyncGenerator<RenderedResult> {
  const { shared } = calls;
  let warnings: string[] = [];
  let isEmpty = true;
  for await (const batch of inOrder(calls, startThreads, surroundings)) {
    warnings.push(...batch.warnings);
    if (isEmpty && batch.results.length === 0) continue;
    isEmpty = false;
    for (const warning of warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
    warnings = [];
    yield* batch.results;
  }
  if (isEmpty) throw noObjects(shared.sources, selectionOf(shared.flags));
}

/** Makes batches here and in other threads, and returns them in order. */
async function* inOrder(calls: FileCalls, startThreads: () => readonly Thread[], surroundings: Surroundings): AsyncGenerator<FileBatch> {
  const { shared } = calls;
  const arrived = new Map<number, FileBatch>();
  let waiting: { wake(): void; fail(error: unknown): void } | undefined;
  let failure: { readonly error: unknown } | undefined;
  const arrive = (batch: FileBatch): void => {
    arrived.set(batch.number, batch);
    waiting?.wake();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    waiting?.fail(error);
  };
  let threads: readonly Thread[] = [];
  let ends: readonly Promise<void>[] = [];
  const own = async (): Promise<void> => {
    const passTurn = turnEvery(maxTurnMs);
    let isFirst = true;
    for await (const batch of madeBatches(calls, surroundings)) {
      arrive(batch);
      // The first result does not wait for threads to start.
      if (isFirst) threads = startThreads();
      if (isFirst) ends = threads.map(thread => makeIn(thread, shared, arrive).catch(fail));
      isFirst = false;
      await passTurn();
    }
  };
  void own().catch(fail);
  try {
    for (let number = 0; number < batchesOf(shared); number += 1) {
      while (!arrived.has(number)) {
        if (failure !== undefined) throw failure.error;
        await new Promise<void>((resolve, reject) => {
          waiting = { wake: resolve, fail: reject };
        });
      }
      yield arrived.get(number) as FileBatch;
      arrived.delete(number);
    }
    // Node aborts when a thread ends that is making keys, as those of the embedded webhook.
    await Promise.all(ends);
  } finally {
    for (const thread of threads) void thread.terminate();
  }
}

/** Messages of threads arrive between turns of the event loop. */
const maxTurnMs = 20;

async function makeIn(thread: Thread, shared: SharedFiles, arrive: (batch: FileBatch) => void): Promise<void> {
  const functions: MainFunctions = {
    ...{ fault: async () => undefined, written: async () => 0, since: async () => [], made: async () => {} },
    read: async ({ results, ...batch }) => arrive({ ...batch, results: results.map(resultOf) }),
  };
  const { call, fail } = connectThreads<ThreadFunctions>(thread, { ...functions });
  thread.on('error', fail);
  thread.on('exit', exitCode => fail(new Error(`a thread that makes calls ended with exit code ${exitCode}`)));
  await call('files', shared);
}
