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
  const bytes = isManifest(path.basename(file)) ? readWithin(file, folder) : undefined;
  return bytes === undefined ? undefined : manifestText(bytes);
}

/** Returns the certificates of the CA that `certs create` writes, as base64 of PEM; undefined if the file has anything else in it. */
export function readCaBundle(folder: string): string | undefined {
  const text = readWithin(path.join(folder, 'certs', 'ca.crt'), folder)?.toString('latin1') ?? '';
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.length === 0 ? undefined : Buffer.from(`${certificates.join('\n')}\n`).toString('base64');
}

/** Returns the bytes of a regular file in a folder of at most 4 MiB; undefined for anything else, and for a link that leads out of the folder. */
function readWithin(file: string, folder: string): Buffer | undefined {
  try {
    if (!isWithin(realpathSync(file), realpathSync(folder))) return undefined;
    const stats = lstatSync(realpathSync(file));
    if (!stats.isFile() || stats.size > maxBytes) return undefined;
    return readRegularFile(file);
  } catch {
    // It is gone, or cannot be read.
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
