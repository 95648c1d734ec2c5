import type { Surroundings } from '../../../shell/surroundings.js';
import { sendAhead } from '../../../threads/send-ahead.js';
import type { ThreadJob } from '../../../threads/serve-jobs.js';
import { repeatedPlanning } from '../../../work/calls/planning.js';
import { readState } from '../../../work/input/state.js';
import { renderingOf } from '../flags/rendering.js';
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

/** The job of reviewing files. */
export const filesJob: ThreadJob<FilesJob, FilesMain> = ({ surroundings, callMain }) => ({
  make: shared => makeFiles(shared, { given: surroundings, send: batch => callMain('read', batch) }),
});

interface FilesContext {
  readonly given: Surroundings;
  readonly send: (batch: CopiedBatch) => Promise<void>;
}

/** Makes a thread's share of the calls of files. */
async function makeFiles(shared: SharedFiles, { given, send }: FilesContext): Promise<void> {
  const { flags, terminal } = shared;
  // The main thread prints warnings.
  const surroundings = { ...given, stdout: { ...given.stdout, ...terminal }, stderr: { ...given.stderr, write: () => {} } };
  const state = await readState(flags, repeatedPlanning(shared, surroundings));
  const rendering = { ...renderingOf(flags, surroundings), isOnlyOne: false };
  const ahead = sendAhead(send);
  for await (const batch of makeBatches({ shared, state, rendering }, surroundings)) await ahead.send(copiedBatch(batch));
  await ahead.end();
}
