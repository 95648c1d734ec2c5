import { randomBytes } from 'node:crypto';
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * Replaces the contents of a file that exists: whoever reads meets the old bytes or the new ones, whenever we are stopped. The mode
 * stays; a link is followed; what an earlier run left when it was stopped is removed. Fails with the system's error, the old contents
 * in place.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const target = await realpath(file);
  await removeLeftOvers(path.dirname(target), path.basename(target));
  await writeWhole(target, contents);
}

/**
 * The same for a file that may not be there yet, in a folder that is; left-overs stay. Who writes many files of a folder removes them
 * once for all.
 */
export async function writeWhole(file: string, contents: string | Uint8Array): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const unfinished = path.join(path.dirname(target), unfinishedName(path.basename(target)));
  try {
    const old = await stat(target).catch(() => undefined);
    const handle = await open(unfinished, 'wx', old === undefined ? 0o666 : 0o600);
    try {
      await handle.writeFile(contents);
      if (old !== undefined) {
        // Only root can give files away; others keep what they made.
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

/** Removes what processes that are no more left in a folder: of one file, or of all. */
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

/** Virus scanners of Windows hold on to what was just written, for a moment. */
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
