import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CliError } from '../../../client/cli-error.js';
import { maxFileBytes, readRegularFile } from '../../../files/read-file.js';
import { writeWhole } from '../../../files/replace-file.js';
import { systemReason } from '../../../files/system-reason.js';
import type { EqualEntry } from '../../../replay/equal-calls.js';
import { keyOfCall } from '../../../replay/essential-text.js';
import type { KnownEntries } from '../../../replay/known-objects.js';
import type { CallPart } from '../../../replay/replay-log.js';
import { newTally, type ReplayTally } from '../../../replay/tally.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { ReplayFlagOptions } from './replay-options.js';

/** Everything that a replay knows after some lines. */
export interface SavedReplay {
  readonly tally: ReplayTally;
  readonly known: KnownEntries;
  readonly equal: readonly EqualEntry[];
}

/** Like a Secret of the log, and like answers of webhooks, everything else that is saved may be secret: only who has the log can read it. */
interface Sealed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly run: string;
  /** Base64 of nonce, tag and encrypted JSON. */
  readonly sealed: string;
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

const defaultIntervalMs = 10_000;

/** Share of the time that saving may take. */
const maxShare = 0.05;

type Saved = SavedReplay & { readonly lines: number };

export interface CheckpointRun {
  readonly options: ReplayFlagOptions;
  readonly part: CallPart & { readonly threads: number };
  readonly cwd: string;
  /** The first line of the logs, from which the key of the file is made. */
  readonly firstLine: string;
}

/**
 * Opens the checkpoint of a part: the file itself for the first one, `FILE.2` and so on for others. Throws CliError for a file that another run with other
 * flags or logs has written, or that is not a checkpoint.
 */
export async function openCheckpointOfPart(file: string, { options, part, cwd, firstLine }: CheckpointRun): Promise<Checkpoint> {
  const own = path.resolve(cwd, part.index === 0 ? file : `${file}.${part.index + 1}`);
  const run = await runOf(options, part, cwd);
  const key = createHash('sha256').update(`checkpoint of a replay\n${firstLine}`).digest();
  let savedAt = monotonicMs();
  let intervalMs = options.checkpointEveryMs ?? defaultIntervalMs;
  return {
    restored: readSaved(own, file, { run, key }),
    isDue: () => monotonicMs() - savedAt >= intervalMs,
    save: async (lines, saved) => {
      const startedAt = monotonicMs();
      const whole: Saved = { lines, ...(await saved()) };
      const document: Sealed = { ...{ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'ReplayCheckpoint', run }, sealed: seal(whole, key) };
      try {
        await writeWhole(own, JSON.stringify(document));
      } catch (error) {
        throw new CliError('write-failed', `the checkpoint cannot be written: ${systemReason(error)}`, {
          location: { file },
          cause: error,
        });
      }
      savedAt = monotonicMs();
      intervalMs = Math.max(intervalMs, (savedAt - startedAt) / maxShare);
    },
    end: () => rm(own, { force: true }),
  };
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function seal(saved: Saved, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  const encrypted = Buffer.concat([cipher.update(gzipSync(JSON.stringify(saved), { level: 1 })), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
}

/** Throws for anything that was not sealed with this key. */
function unseal(sealed: string, key: Buffer): Saved {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(gunzipSync(text, { maxOutputLength: maxFileBytes }).toString('utf8'));
}

/** What decides about the result: options, parts, the logs as far as their names and sizes show them, and what this version counts. */
async function runOf(options: ReplayFlagOptions, part: CallPart & { readonly threads: number }, cwd: string): Promise<string> {
  const { checkpoint, checkpointEveryMs, output, noColor, ...deciding } = options;
  const sizes = await Promise.all(
    (options.filename ?? []).map(file =>
      stat(path.resolve(cwd, file)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return keyOfCall([JSON.stringify(deciding), JSON.stringify(part), ...sizes.map(String), ...Object.keys(newTally())]);
}

function readSaved(own: string, file: string, { run, key }: { readonly run: string; readonly key: Buffer }): Saved | undefined {
  const text = checkpointText(own, file);
  if (text === undefined) return undefined;
  const document = documentIn(text);
  if (document === undefined)
    throw new CliError('invalid-manifest', 'this file is not a checkpoint of a replay', {
      location: { file },
      suggestions: ['pass the path of a new file'],
    });
  const saved = document.run === run ? opened(document.sealed, key) : undefined;
  if (saved === undefined) {
    throw new CliError('usage', 'the checkpoint is from a run with other flags or logs, or of another version', {
      location: { file },
      suggestions: ['remove it to start from the beginning', 'repeat the interrupted command as it was'],
    });
  }
  return saved;
}

function checkpointText(own: string, file: string): string | undefined {
  try {
    return readRegularFile(own).toString('latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new CliError('unreadable-file', `the checkpoint cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
  }
}

function documentIn(text: string): Sealed | undefined {
  try {
    const value: Sealed = JSON.parse(text);
    return value.kind === 'ReplayCheckpoint' && typeof value.sealed === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function opened(sealed: string, key: Buffer): Saved | undefined {
  try {
    return unseal(sealed, key);
  } catch {
    return undefined;
  }
}
