import type { Surroundings } from '../../../shell/surroundings.js';
import { sendAhead } from '../../../threads/send-ahead.js';
import { readState } from '../../input/state.js';
import { repeatedPlanning } from '../planning.js';
import { type CopiedBatch, copiedBatch, madeBatches, type SharedFiles } from './file-batches.js';

/** Makes a thread's share of the calls of files. */
export async function makeFiles(shared: SharedFiles, given: Surroundings, send: (batch: CopiedBatch) => Promise<void>): Promise<void> {
  const { flags, terminal } = shared;
  // The main thread prints warnings.
  const surroundings = { ...given, stdout: { ...given.stdout, ...terminal }, stderr: { ...given.stderr, write: () => {} } };
  const state = await readState(flags, repeatedPlanning(shared, surroundings));
  const { renderingOf } = await import('../../../commands/review/review.js');
  const rendering = { ...renderingOf(flags, surroundings), isOnlyOne: false };
  const ahead = sendAhead(send);
  for await (const batch of madeBatches({ shared, state, rendering }, surroundings)) await ahead.send(copiedBatch(batch));
  await ahead.end();
}
