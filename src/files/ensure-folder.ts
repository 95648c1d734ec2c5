import { mkdirSync, statSync } from 'node:fs';
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

/** As `ensureFolder`, at once. */
export function ensureFolderNow(folder: string, mode?: number): void {
  if (isFolderNow(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) ensureFolderNow(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolderNow(folder)) throw error;
  }
}

function isFolderNow(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    return false;
  }
}

async function isFolder(name: string): Promise<boolean> {
  return (await stat(name).catch(() => undefined))?.isDirectory() ?? false;
}
