import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

/** Limit of one file. Node's texts are shorter than 512 MiB. */
export const maxFileBytes = 256 * 1024 * 1024;

/** Reused: allocating a buffer for each of thousands of small files takes longer than reading them. */
const chunk = Buffer.allocUnsafe(256 * 1024);

/** Reads a file that the user named, also a pipe or a device. Throws the system's error, or one that says that the file is too large. */
export function readNamedFile(file: string): Buffer {
  return closing(openSync(file, 'r'), descriptor => allBytes(descriptor));
}

/**
 * Reads what the user named, which may be a folder: as `readNamedFile`, but returns undefined for a folder and for what cannot be opened. A pipe can be opened
 * only once.
 */
export function readUnlessFolder(file: string): Buffer | undefined {
  const descriptor = openedUnlessMissing(file, constants.O_RDONLY);
  if (descriptor === undefined) return undefined;
  return closing(descriptor, () => {
    const stats = fstatSync(descriptor);
    return stats.isDirectory() ? undefined : allBytes(descriptor, stats.isFile() ? stats.size : undefined);
  });
}

/** Reads what a file names, which may be a folder: as `readRegularFile`, but returns undefined for a folder and for what cannot be opened. */
export function readFoundUnlessFolder(file: string): Buffer | undefined {
  const descriptor = openedUnlessMissing(file, withoutWaiting);
  if (descriptor === undefined) return undefined;
  return closing(descriptor, () => {
    const stats = fstatSync(descriptor);
    return stats.isDirectory() ? undefined : regularBytes(descriptor, stats);
  });
}

function openedUnlessMissing(file: string, flags: number): number | undefined {
  try {
    return openSync(file, flags);
  } catch {
    return undefined;
  }
}

/** Windows has neither the flag nor named pipes in folders. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that was only found, in a folder or beside another. Throws the system's error, or one that says what is wrong with the file: a named
 * pipe would be waited for, and a device such as /dev/zero never ends.
 */
export function readRegularFile(file: string): Buffer {
  const descriptor = openSync(file, withoutWaiting);
  return closing(descriptor, () => regularBytes(descriptor, fstatSync(descriptor)));
}

/** The error for a folder is the system's. */
function regularBytes(descriptor: number, stats: Stats): Buffer {
  if (!stats.isFile() && !stats.isDirectory()) throw Object.assign(new Error('it is not a regular file'), { code: 'ENOTREG' });
  return allBytes(descriptor, stats.size);
}

function closing<T>(descriptor: number, read: (descriptor: number) => T): T {
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads to the end, which needs no further read at the known size: one call of the system less for each of thousands of files. The size may have changed
 * since.
 */
export function allBytes(descriptor: number, size?: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; ; ) {
    const read = readSync(descriptor, chunk);
    if (read > 0) chunks.push(Buffer.from(chunk.subarray(0, read)));
    length += read;
    if (length > maxFileBytes) throw Object.assign(new Error(`it is larger than ${maxFileBytes / 1024 / 1024} MiB`), { code: 'EFBIG' });
    if (read === 0 || length === size) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
  }
}
