import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { writeWhole } from '../../files/replace-file.js';
import type { CallResult } from '../../replay/equal-calls.js';
import { keyOfCall } from '../../replay/essential-text.js';
import type { KnownEntries } from '../../replay/known-objects.js';
import type { CallPart } from '../../replay/replay-log.js';
import type { Tally } from '../../replay/tally.js';
import { monotonicMs } from '../../transport/clock.js';
import { systemReason } from '../system-reason.js';
import type { ReplayOptions } from './replay-options.js';

/** Everything that a replay knows after some lines. */
export interface SavedReplay {
  readonly tally: Tally;
  readonly known: KnownEntries;
  readonly equal: readonly (readonly [string, CallResult])[];
}

/** The progress of one part of a replay in a file. */
export interface Checkpoint {
  /** What an interrupted run had saved; undefined for a new run. */
  readonly restored: (SavedReplay & { readonly lines: number }) | undefined;
  readonly isDue: () => boolean;
  readonly save: (lines: number, saved: () => Promise<SavedReplay>) => Promise<void>;
  /** Removes the file: the run is complete. */
  readonly end: () => Promise<void>;
}

const intervalMs = 10_000;

interface Saved extends SavedReplay {
  readonly apiVersion: string;
  readonly kind: string;
  readonly run: string;
  readonly lines: number;
}

/**
 * Opens the checkpoint of a part: the file itself for the first one, `FILE.2` and so on for others. Throws CliError for a file that another run with other
 * flags or logs has written, or that is not a checkpoint.
 */
export async function checkpointOf(
  file: string,
  { options, part, cwd }: { readonly options: ReplayOptions; readonly part: CallPart & { readonly threads: number }; readonly cwd: string },
): Promise<Checkpoint> {
  const own = path.resolve(cwd, part.index === 0 ? file : `${file}.${part.index + 1}`);
  const run = await runOf(options, part, cwd);
  let savedAt = monotonicMs();
  return {
    restored: await readSaved(own, file, run),
    isDue: () => monotonicMs() - savedAt >= intervalMs,
    save: async (lines, saved) => {
      const document: Saved = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'ReplayCheckpoint', run, lines, ...(await saved()) };
      try {
        await writeWhole(own, JSON.stringify(document));
      } catch (error) {
        throw new CliError('write-failed', `the checkpoint cannot be written: ${systemReason(error)}`, {
          location: { file },
          cause: error,
        });
      }
      savedAt = monotonicMs();
    },
    end: () => rm(own, { force: true }),
  };
}

/** What decides about the result: options, parts, and the logs as far as their names and sizes show them. */
async function runOf(options: ReplayOptions, part: CallPart & { readonly threads: number }, cwd: string): Promise<string> {
  const { checkpoint, output, noColor, ...deciding } = options;
  const sizes = await Promise.all(
    (options.filename ?? []).map(file =>
      stat(path.resolve(cwd, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return keyOfCall([JSON.stringify(deciding), JSON.stringify(part), ...sizes.map(String)]);
}

async function readSaved(own: string, file: string, run: string): Promise<Saved | undefined> {
  const text = await readFile(own, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CliError('unreadable-file', `the checkpoint cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
  });
  if (text === undefined) return undefined;
  const saved = savedIn(text);
  if (saved === undefined)
    throw new CliError('invalid-manifest', 'this file is not a checkpoint of a replay', {
      location: { file },
      suggestions: ['pass the path of a new file'],
    });
  if (saved.run !== run) {
    throw new CliError('usage', 'the checkpoint is from a run with other flags or logs', {
      location: { file },
      suggestions: ['remove it to start from the beginning', 'repeat the interrupted command as it was'],
    });
  }
  return saved;
}

function savedIn(text: string): Saved | undefined {
  try {
    const value: Saved = JSON.parse(text);
    return value.kind === 'ReplayCheckpoint' ? value : undefined;
  } catch {
    return undefined;
  }
}
