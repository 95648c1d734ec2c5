import { lstatSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { manifestText } from '../../../encoding/manifest-text.js';
import { readRegularFile } from '../../../files/read-file.js';
import type { WorkspaceFile } from '../../../language-server/editor-surroundings.js';

const maxFiles = 20_000;
const maxBytes = 4 * 1024 * 1024;

/** Returns the manifests below a folder. Links are not followed; folders with programs of others, and hidden ones, are left out. */
export async function* findWorkspaceFiles(folder: string): AsyncGenerator<WorkspaceFile> {
  const open = [folder];
  let count = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const entry of await readFolderEntries(next)) {
      const file = path.join(next, entry.name);
      if (entry.isDirectory() && !isForeign(entry.name)) open.push(file);
      if (!entry.isFile() || !isManifest(entry.name)) continue;
      count += 1;
      if (count > maxFiles) return;
      const text = readWorkspaceFile(file, folder);
      if (text !== undefined) yield { path: file, text };
    }
  }
}

/** Returns the text of a manifest in a folder; undefined for a link that leads out of it, and for what is not a regular file of at most 4 MiB. */
export function readWorkspaceFile(file: string, folder: string): string | undefined {
  try {
    if (!isManifest(path.basename(file)) || !isWithin(realpathSync(file), realpathSync(folder))) return undefined;
    const stats = lstatSync(realpathSync(file));
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return manifestText(readRegularFile(file));
  } catch {
    // It is gone, or cannot be read: its objects do not exist.
    return undefined;
  }
}

function isWithin(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}

async function readFolderEntries(folder: string): Promise<import('node:fs').Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/.test(name);
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name === 'vendor' || name.startsWith('.');
}
