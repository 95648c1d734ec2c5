import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { snapshotFolder } from './snapshots/folder.js';

/** Where a suite comes from; paths are relative to the working folder where they were given so. */
export type SuiteSource =
  /** `whole`: all that lies in its folder is known, be it suites or manifests. */
  | { readonly from: 'file'; readonly file: string; readonly whole: boolean }
  /** A folder without suite files: every manifest in it is a case. */
  | { readonly from: 'manifests'; readonly folder: string; readonly files: readonly string[]; readonly whole: boolean };

/** The name of a suite file without what makes it one: `pods` of `pods.webhook-test.yaml`. */
export function suiteStem(file: string): string {
  return path.basename(file).replace(suiteFile, '');
}

/**
 * The suites that a path names: a suite file, all of them below a folder, or else the folder's own manifests. None where there is neither.
 * Fails with the system's error for a path that is not there.
 */
export function findSuites(given: string, cwd: string): SuiteSource[] {
  const absolute = path.resolve(cwd, given);
  if (!statSync(absolute).isDirectory()) {
    if (suiteFile.test(given)) return [{ from: 'file', file: given, whole: false }];
    return [{ from: 'manifests', folder: path.dirname(given), files: [given], whole: false }];
  }
  const found = suiteFilesBelow(given, cwd);
  if (found.length > 0) return found.map(file => ({ from: 'file', file, whole: true }));
  const files = readdirSync(absolute, { withFileTypes: true })
    .filter(entry => !entry.isDirectory() && manifestFile.test(entry.name) && !isNoManifest(entry.name))
    .map(entry => path.join(given, entry.name))
    .sort();
  return files.length === 0 ? [] : [{ from: 'manifests', folder: given, files, whole: true }];
}

/** Is this the name of a suite file? */
export const suiteFile = /\.webhook-test\.(?:ya?ml|json)$/;
const manifestFile = /\.(?:ya?ml|json)$/;

/** Files of tools that lie beside manifests. */
function isNoManifest(name: string): boolean {
  return /^(?:kustomization\.ya?ml|webhook-cli\.yaml|\..*)$/i.test(name);
}

function suiteFilesBelow(folder: string, cwd: string): string[] {
  const entries = readdirSync(path.resolve(cwd, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(entry => {
    const file = path.join(folder, entry.name);
    // A link to a folder is not followed, so no circle is walked.
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : suiteFilesBelow(file, cwd);
    return suiteFile.test(entry.name) ? [file] : [];
  });
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name === snapshotFolder || name.startsWith('.');
}
