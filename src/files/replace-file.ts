import { randomBytes } from 'node:crypto';
import { lstat, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Replaces the contents of an existing file atomically: readers see the old or the new bytes, even if the program is stopped. The mode
 * stays; a link is followed; remains of a stopped run are removed. Fails with the system's error, with the old contents in place.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const target = await realpath(file);
  await removeLeftOvers(path.dirname(target), path.basename(target));
  await writeWhole(target, contents);
}

/**
 * Writes a file atomically that may not exist, in an existing folder; a link is replaced, not followed: a repository may lead it anywhere. Remains of stopped
 * runs stay. A caller that writes many files of a folder removes them once.
 */
export async function writeWhole(target: string, contents: string | Uint8Array, mode = 0o666): Promise<void> {
  const unfinished = path.join(path.dirname(target), unfinishedName(path.basename(target)));
  try {
    const found = await lstat(target).catch(() => undefined);
    const old = found?.isFile() === true ? found : undefined;
    const handle = await open(unfinished, 'wx', old === undefined ? mode : 0o600);
    try {
      await handle.writeFile(contents);
      if (old !== undefined) {
        // Only root can change the owner; others keep the new file.
        await handle.chown(old.uid, old.gid).catch(() => {});
        await handle.chmod(old.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renamePatiently(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Removes the remains of processes that no longer run: of one file, or of all. */
export async function removeLeftOvers(folder: string, file?: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, of, pid] = unfinishedFile.exec(name) ?? [];
    if (pid === undefined || (file !== undefined && of !== file)) continue;
    if (!isAlive(Number(pid))) await rm(path.join(folder, name), { force: true });
  }
}

const unfinishedFile = /^\.(.+)\.webhook-cli-(\d+)-[0-9a-f]{8}$/s;

function unfinishedName(file: string): string {
  return `.${file}.webhook-cli-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Retries briefly: virus scanners on Windows hold new files open for a moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    try {
      return await rename(from, to);
    } catch (error) {
      const held = error instanceof Error && 'code' in error && (error.code === 'EBUSY' || error.code === 'EPERM');
      if (!held || process.platform !== 'win32' || waited >= 1000) throw error;
      await setTimeout(50);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
