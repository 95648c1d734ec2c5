import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Closing } from '../support/started-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Returns a folder with files; it is removed with what else is in the list. */
export function folderWith(files: Readonly<Record<string, string>>, opened: Closing[]): string {
  const { folder, remove } = temporaryFolder(files);
  opened.push({ close: remove });
  return folder;
}

/** Returns the texts of all files of a folder, except those that were given to what wrote there. */
export function writtenIn(folder: string, isGiven: (name: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !isGiven(entry.name))
    .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
}
