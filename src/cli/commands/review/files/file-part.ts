import type { Surroundings } from '../../../shell/surroundings.js';
import { sendAhead } from '../../../threads/send-ahead.js';
import type { ThreadJob } from '../../../threads/serve-jobs.js';
import { repeatedPlanning } from '../../../work/calls/planning.js';
import type { ResultRendering } from '../../../work/calls/rendered-results.js';
import { readState } from '../../../work/input/state.js';
import type { ReviewFlags } from '../flags/review-flags.js';
import { type CopiedBatch, copiedBatch, makeBatches, type SharedFiles } from './file-batches.js';

/** The job of reviewing files. */
export interface FilesJob {
  /** Reads a share of the files of a review, and makes their calls. */
  readonly make: (shared: SharedFiles) => Promise<void>;
}

/** What the job of reviewing files asks of the main thread. */
export interface FilesMain {
  readonly read: (batch: CopiedBatch) => Promise<void>;
}

type RenderingOf = (flags: ReviewFlags, surroundings: Surroundings) => ResultRendering;

/** Returns the job of reviewing files. */
export function filesJob(renderingOf: RenderingOf): ThreadJob<FilesJob, FilesMain> {
  return ({ surroundings, callMain }) => ({
    make: shared => makeFiles(shared, { renderingOf, given: surroundings, send: batch => callMain('read', batch) }),
  });
}

interface FilesContext {
  readonly renderingOf: RenderingOf;
  readonly given: Surroundings;
  readonly send: (batch: CopiedBatch) => Promise<void>;
}

/** Makes a thread's share of the calls of files. */
async function makeFiles(shared: SharedFiles, { renderingOf, given, send }: FilesContext): Promise<void> {
  const { flags, terminal } = shared;
  // The main thread prints warnings.
  const surroundings = { ...given, stdout: { ...given.stdout, ...terminal }, stderr: { ...given.stderr, write: () => {} } };
  const state = await readState(flags, repeatedPlanning(shared, surroundings));
  const rendering = { ...renderingOf(flags, surroundings), isOnlyOne: false };
  const ahead = sendAhead(send);
  for await (const batch of makeBatches({ shared, state, rendering }, surroundings)) await ahead.send(copiedBatch(batch));
  await ahead.end();
}
