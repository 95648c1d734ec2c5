import { randomBytes } from 'node:crypto';
import { open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces the contents of a file that exists: whoever reads meets the old bytes or the new ones, whenever we are stopped. The mode
 * stays; a link is followed; what an earlier run left when it was stopped is removed. Fails with the system's error, the old contents
 * in place.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const target = await realpath(file);
  const { mode, uid, gid } = await stat(target);
  const prefix = `.${path.basename(target)}.webhook-cli-`;
  await removeLeftOvers(path.dirname(target), prefix);
  const unfinished = path.join(path.dirname(target), `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(contents);
      // Only root can give files away; others keep what they made.
      await handle.chown(uid, gid).catch(() => {});
      await handle.chmod(mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Files of processes that are no more. */
async function removeLeftOvers(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)-[0-9a-f]{8}$/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(folder, name), { force: true });
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
