import { open as openFile, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ensureFolder } from '../files/ensure-folder.js';
import { removeLeftOvers, writeWhole } from '../files/replace-file.js';
import { recordingFile } from '../suites/recordings/describe-recording.js';

export interface FolderLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Directory of recordings with a size limit: the oldest are removed to make room for new ones. */
export interface RecordingsFolder {
  /** Opens the directory before its first use: creates it if missing, removes temporary files of killed processes, and lists its files. Rejects with the system's error. */
  open(): Promise<void>;
  /** Returns the file with this key, also while it is being written. */
  find(key: string): string | undefined;
  /** Writes a file atomically; several at the same time. Rejects with the system's error. */
  write(name: string, text: string): Promise<void>;
}

interface Entry {
  readonly name: string;
  readonly bytes: number;
}

/** Returns a directory that is not yet open. */
export function recordingsFolder(folder: string, { maxFiles, maxBytes }: FolderLimits): RecordingsFolder {
  const entries: Entry[] = [];
  const names = new Map<string, string>();
  let total = 0;
  const add = (entry: Entry): void => {
    entries.push(entry);
    names.set(recordingKeyOf(entry.name), entry.name);
    total += entry.bytes;
  };
  const remove = (entry: Entry): void => {
    entries.splice(entries.indexOf(entry), 1);
    names.delete(recordingKeyOf(entry.name));
    total -= entry.bytes;
  };
  /** Returns the oldest files, to be replaced by a new one. */
  const displacedBy = (bytes: number): Entry[] => {
    const displaced: Entry[] = [];
    for (let oldest = entries[0]; oldest !== undefined && (entries.length >= maxFiles || total + bytes > maxBytes); oldest = entries[0]) {
      remove(oldest);
      displaced.push(oldest);
    }
    return displaced;
  };
  const list = async (): Promise<void> => {
    await ensureFolder(folder);
    await removeLeftOvers(folder);
    entries.splice(0);
    names.clear();
    total = 0;
    for (const entry of await listRecordings(folder)) add(entry);
  };
  let opening: Promise<void> | undefined;
  const open = (): Promise<void> => {
    opening ??= list().catch(error => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    open,
    find: key => names.get(key),
    async write(name, text) {
      const entry = { name, bytes: Buffer.byteLength(text) };
      const displaced = displacedBy(entry.bytes);
      add(entry);
      try {
        await Promise.all(displaced.map(old => rm(path.join(folder, old.name), { force: true })));
        await writeWhole(path.join(folder, name), text, fileMode);
      } catch (error) {
        remove(entry);
        // The folder may have been removed: it is created again.
        opening = undefined;
        throw error;
      }
    },
  };
}

/** Redaction cannot know every secret: recordings are for their owner. */
const fileMode = 0o600;

function recordingKeyOf(name: string): string {
  return name.slice(-17, -5);
}

/** Recordings, oldest first. Other files in the directory are not touched. */
async function listRecordings(folder: string): Promise<Entry[]> {
  const found = await Promise.all(
    (await readdir(folder))
      .filter(name => recordingFile.test(name))
      .map(async name => {
        const file = path.join(folder, name);
        const { size, mtimeMs } = await stat(file);
        return (await isRecordingFile(file)) ? [{ name, bytes: size, mtimeMs }] : [];
      }),
  );
  return found
    .flat()
    .sort((a, b) => a.mtimeMs - b.mtimeMs)
    .map(({ name, bytes }) => ({ name, bytes }));
}

const headBytes = 256;

/** Recordings start with the response: their keys are sorted. */
async function isRecordingFile(file: string): Promise<boolean> {
  const handle = await openFile(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return /^answer:\n {2}body: /.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}
