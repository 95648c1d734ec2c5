import { CliError } from '../../../client/cli-error.js';
import { systemReason } from '../../../files/system-reason.js';
import {
  acceptPending,
  findPendingFiles,
  type PendingSnapshot,
  readPending,
  rejectPending,
  restorePending,
} from '../../../suites/snapshots/pending.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** Reads the pending snapshots of paths. Throws CliError for invalid ones. */
export async function readPendingSnapshots(paths: readonly string[], { cwd }: Pick<Surroundings, 'cwd'>): Promise<PendingSnapshot[]> {
  const files = await rejectUnreadable(paths.join(', '), () => findPendingFiles(paths, cwd));
  const snapshots: PendingSnapshot[] = [];
  for (const file of files) {
    const read = await rejectUnreadable(file, async () => readPending(file, cwd));
    if ('message' in read) {
      const { message, line, suggestion } = read;
      throw new CliError('invalid-syntax', `the snapshot ${message}`, { location: { file: read.file, line }, suggestions: [suggestion] });
    }
    snapshots.push(read);
  }
  return snapshots;
}

const decisions = {
  accept: { act: acceptPending, word: 'accepted' },
  reject: { act: rejectPending, word: 'rejected' },
  undo: { act: restorePending, word: 'pending again' },
} as const;

/** Accepts or rejects all pending snapshots of paths, and prints a line for each. */
export async function decideAll(decision: keyof typeof decisions, paths: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const pending = await readPendingSnapshots(paths, surroundings);
  for (const snapshot of pending) {
    await decide(decision, snapshot, surroundings.cwd);
    surroundings.stdout.write(`${decisions[decision].word} ${snapshot.file}\n`);
  }
  if (pending.length === 0) surroundings.stdout.write('no pending snapshots\n');
  return exitCodes.allowed;
}

/** Accepts or rejects one snapshot, or undoes that. Throws CliError when it cannot be written. */
export async function decide(decision: keyof typeof decisions, snapshot: PendingSnapshot, cwd: string): Promise<void> {
  try {
    await decisions[decision].act(snapshot, cwd);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CliError('write-failed', `the snapshot cannot be written: ${systemReason(error)}`, {
      location: { file: snapshot.file },
      cause: error,
    });
  }
}

async function rejectUnreadable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
  }
}
