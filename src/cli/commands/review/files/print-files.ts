import { definitionsOf } from '../../../../apiserver/call/definitions.js';
import { operationOf } from '../../../../client/calls/plan.js';
import { CliError } from '../../../../client/cli-error.js';
import { builtPathIn } from '../../../../client/manifests/input-path.js';
import type { ManifestPaths } from '../../../../client/options/call-options.js';
import { showsPage } from '../../../../reports/report-formats.js';
import { printable } from '../../../../writers/printable.js';
import { casesWorthThreads, threadCount } from '../../../options/jobs.js';
import type { ExitCode } from '../../../shell/exit-codes.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { yieldInOrder } from '../../../threads/in-order.js';
import { startWorker, type Worker } from '../../../threads/start-worker.js';
import { recordPlanning } from '../../../work/calls/planning.js';
import { printRendered, yieldFinalResults } from '../../../work/calls/print-results.js';
import type { RenderedResult } from '../../../work/calls/rendered-results.js';
import type { JobsFlags } from '../../../work/calls/shared-calls.js';
import type { PageFlags } from '../../../work/calls/traced-calls.js';
import { choosesCluster } from '../../../work/cluster/cluster-flags.js';
import { type InputSource, inputSources } from '../../../work/input/files.js';
import { noObjects } from '../../../work/input/read-manifests.js';
import { type ReadStateFlags, readState } from '../../../work/input/state.js';
import { renderingOf } from '../flags/rendering.js';
import type { ReviewFlags } from '../flags/review-flags.js';
import { batchesOf, batchOf, type FileBatch, type FileCalls, fileSelectionOf, makeBatches, type SharedFiles } from './file-batches.js';
import type { FilesJob, FilesMain } from './file-part.js';

/**
 * Reviews many files whose calls need nothing of each other: each is read when its turn comes, and dropped with its results, and threads share
 * the files. Returns undefined, without output, if all files have to be read first.
 */
export async function printFiles(flags: ReviewFlags, surroundings: Surroundings): Promise<ExitCode | undefined> {
  if (needsAllFiles(flags)) return undefined;
  const sources = sourcesOf(flags, surroundings);
  if (sources.length < casesWorthThreads) return undefined;
  operationOf(flags);
  const { surroundings: recorded, planning } = recordPlanning(surroundings);
  const state = await readState(flags, recorded);
  // Definitions that no document needs get a warning before the first call.
  if (state.source !== undefined || definitionsOf(state).length > 0) return undefined;
  const { isTerminal, columns } = surroundings.stdout;
  // A function cannot be sent.
  const { toolVersion: _toolVersion, ...sent } = flags;
  const shared: SharedFiles = {
    ...{ flags: sent, sources },
    ...planning(),
    next: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    terminal: { isTerminal, columns },
  };
  const rendering = { ...renderingOf(flags, surroundings), isOnlyOne: false };
  const made = makeFileResults({ shared, state, rendering }, workersOf(flags, surroundings), surroundings);
  return printRendered(yieldFinalResults(made), { ...rendering, total: sources.length }, surroundings);
}

/** Flags with which all files are read before the first call. */
type WholeFlags = PageFlags &
  ReadStateFlags &
  Pick<ReviewFlags, 'seed' | 'call' | 'old' | 'patchFile' | 'createdPods' | 'check' | 'compare' | 'include'>;

/** Numbers of calls, stored objects of other flags, and checks need what all files contain. */
function needsAllFiles(flags: WholeFlags): boolean {
  const { filename, state = [], seed, call, old, patchFile, createdPods, check, compare, againstCluster, include } = flags;
  const others = [seed, call, old, patchFile, createdPods, check, compare, againstCluster].some(value => value !== undefined);
  if (filename === undefined || others || include?.includes('steps') === true || showsPage(flags) || choosesCluster(flags)) return true;
  return [...filename, ...state].some(path => path === '-' || path === '' || builtPathIn(path) !== undefined);
}

/** Where paths lead to nothing, the error is that of reading them. */
function sourcesOf(flags: ManifestPaths, { cwd }: Surroundings): readonly InputSource[] {
  try {
    return inputSources(fileSelectionOf(flags), cwd);
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

type StartWorkers = (read: FilesMain['read']) => readonly Worker<FilesJob>[];

function workersOf({ jobs = 'auto' }: JobsFlags, { startThread }: Surroundings): StartWorkers {
  if (startThread === undefined) return () => [];
  const count = threadCount(jobs);
  return read => Array.from({ length: count - 1 }, () => startWorker<FilesJob>('files', startThread, { read } satisfies FilesMain));
}

async function* makeFileResults(calls: FileCalls, startWorkers: StartWorkers, surroundings: Surroundings): AsyncGenerator<RenderedResult> {
  const { shared } = calls;
  let warnings: string[] = [];
  let isEmpty = true;
  for await (const { error, results, warnings: more } of makeBatchesInOrder(calls, startWorkers, surroundings)) {
    warnings.push(...more);
    if (error !== undefined) throw error;
    if (isEmpty && results.length === 0) continue;
    isEmpty = false;
    for (const warning of warnings) surroundings.stderr.write(`warning: ${printable(warning)}\n`);
    warnings = [];
    yield* results;
  }
  if (isEmpty) {
    const sources = shared.sources.map(({ source }) => source);
    throw noObjects(sources, fileSelectionOf(shared.flags));
  }
}

function makeBatchesInOrder(calls: FileCalls, startWorkers: StartWorkers, surroundings: Surroundings): AsyncGenerator<FileBatch> {
  return yieldInOrder({
    total: batchesOf(calls.shared),
    startWorkers: arrive => startWorkers(async batch => arrive(batch.number, batchOf(batch))),
    async *own() {
      for await (const batch of makeBatches(calls, surroundings)) yield [batch.number, batch] as const;
    },
    askFor: call => call('make', calls.shared),
  });
}
