import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces the contents of a file that exists: whoever reads meets the old bytes or the new ones, whenever we are stopped. The mode
 * stays; a link is followed. Fails with the system's error, the old contents in place.
 */
export async function replaceFile(file: string, contents: string | Uint8Array): Promise<void> {
  const target = await realpath(file);
  const { mode, uid, gid } = await stat(target);
  const unfinished = path.join(
    path.dirname(target),
    `.${path.basename(target)}.webhook-cli-${process.pid}-${randomBytes(4).toString('hex')}`,
  );
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
