import type { CallStep } from '../../../../client/calls/call-step.js';
import { CliError } from '../../../../client/cli-error.js';
import type { ManifestPaths } from '../../../../client/options/call-options.js';
import type { ClusterState } from '../../../../kubernetes/api-call.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { callEntriesIn } from '../../../work/calls/call-entries.js';
import {
  type CopiedError,
  type CopiedResult,
  copiedError,
  copiedResult,
  errorOf,
  resultOfCopy,
} from '../../../work/calls/copied-result.js';
import { planEntries } from '../../../work/calls/plan-calls.js';
import type { Planning } from '../../../work/calls/planning.js';
import { type RenderedResult, type ResultRendering, renderResults } from '../../../work/calls/rendered-results.js';
import { type ReviewingFlags, reviewResults } from '../../../work/calls/review-calls.js';
import { type SharedCalls, takenCalls } from '../../../work/calls/shared-calls.js';
import { type FileSelection, type InputSource, readingsOfSources } from '../../../work/input/files.js';
import { collectEntries } from '../../../work/input/read-manifests.js';
import type { RenderingFlags, ReviewInputFlags } from '../flags/review-flags.js';

/** Files of which one thread makes the calls. More at once would make the last thread of a run longer. */
const filesInBatch = 16;

/** What a thread needs to read its share of the files of a review. */
export interface SharedFiles extends Planning, Pick<SharedCalls, 'next' | 'terminal'> {
  readonly flags: ReviewInputFlags & ReviewingFlags & RenderingFlags;
  readonly sources: readonly InputSource[];
}

/** What became of some of the files. */
export interface FileBatch<Result = RenderedResult, Failure = CliError> {
  readonly number: number;
  readonly warnings: readonly string[];
  readonly results: readonly Result[];
  /** Ends the command: a file without anything that could be called. */
  readonly error: Failure | undefined;
}

/** A batch for a message. */
export type CopiedBatch = FileBatch<CopiedResult, CopiedError>;

/** Returns a batch for a message. */
export function copiedBatch({ results, error, ...batch }: FileBatch): CopiedBatch {
  return { ...batch, results: results.map(copiedResult), error: error && copiedError(error) };
}

/** Returns the batch of a message. */
export function batchOf({ results, error, ...batch }: CopiedBatch): FileBatch {
  return { ...batch, results: results.map(resultOfCopy), error: error && errorOf(error) };
}

/** Returns the number of batches. */
export function batchesOf({ sources }: Pick<SharedFiles, 'sources'>): number {
  return Math.ceil(sources.length / filesInBatch);
}

interface OpenBatch {
  readonly number: number;
  readonly results: RenderedResult[];
  planned: { readonly warnings: readonly string[]; readonly steps: readonly CallStep[]; readonly error: CliError | undefined } | undefined;
}

/** Makes the calls of files in a state. What was read of a file is dropped with its results. */
export interface FileCalls {
  readonly shared: SharedFiles;
  readonly state: ClusterState;
  readonly rendering: ResultRendering;
}

/** Takes batch after batch, until none is left, and makes their calls. */
export async function* makeBatches({ shared, state, rendering }: FileCalls, surroundings: Surroundings): AsyncGenerator<FileBatch> {
  const open: OpenBatch[] = [];
  // The plan has one step at a time: that whose number is taken next.
  const steps: CallStep[] = [];
  const takePart = async function* (): AsyncGenerator<number> {
    for (const number of takenCalls({ total: batchesOf(shared), next: shared.next })) {
      const batch: OpenBatch = { number, results: [], planned: undefined };
      open.push(batch);
      batch.planned = await planBatch(number, { shared, state }, surroundings);
      for (const step of batch.planned.steps) {
        steps[0] = step;
        yield 0;
      }
    }
  };
  const plan = { steps, state, warnings: [], notes: [] };
  for await (const result of renderResults(reviewResults(plan, shared.flags, { ...surroundings, part: takePart() }), rendering)) {
    yield* completeIn(open);
    open[0]?.results.push(result);
    yield* completeIn(open);
  }
  yield* completeIn(open);
}

/** Removes the first batches that have all their results. */
function* completeIn(open: OpenBatch[]): Generator<FileBatch> {
  for (let [first] = open; first !== undefined && first.results.length === first.planned?.steps.length; [first] = open) {
    open.shift();
    const { number, results, planned } = first;
    yield { number, results, warnings: planned.warnings, error: planned.error };
  }
}

async function planBatch(
  number: number,
  { shared, state }: Pick<FileCalls, 'shared' | 'state'>,
  surroundings: Surroundings,
): Promise<NonNullable<OpenBatch['planned']>> {
  try {
    const batch = shared.sources.slice(number * filesInBatch, (number + 1) * filesInBatch);
    const { warnings, entries } = await collectEntries(readingsOfSources(batch, surroundings.cwd), callEntriesIn);
    const { steps } = await planEntries(state, { entries, warnings: [] }, { flags: shared.flags, surroundings });
    return { warnings, steps, error: undefined };
  } catch (error) {
    if (error instanceof CliError) return { warnings: [], steps: [], error };
    throw error;
  }
}

/** Returns the files that the flags select. */
export function fileSelectionOf({ filename = [], recursive = false }: ManifestPaths): FileSelection {
  return { flag: '-f', paths: filename, recursive };
}
