import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, all with this mode. Fails with the system's error, even in file systems such as /proc, where Node's recursive
 * `mkdir` never returns.
 */
export async function ensureFolder(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await ensureFolder(parent, mode);
  try {
    await mkdir(folder, mode);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined))?.isDirectory() ?? false;
}
