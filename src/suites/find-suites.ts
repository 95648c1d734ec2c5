import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { readRegularFile } from '../files/read-file.js';
import { snapshotFolder } from './snapshot-folder.js';

/** Source of a suite; paths are relative to the working directory if they were given so. */
export type SuiteSource =
  /** `whole`: all suites or manifests in its folder are known. */
  | { readonly from: 'file'; readonly file: string; readonly whole: boolean }
  /** A folder without suite files: each manifest, and each log with captured reviews, is a case. */
  | { readonly from: 'manifests'; readonly folder: string; readonly files: readonly string[]; readonly whole: boolean };

/** The base name of a suite file: `pods` for `pods.webhook-test.yaml`. */
export function suiteStem(file: string): string {
  return path.basename(file).replace(suiteFile, '');
}

/**
 * Finds the suites at a path: a suite file, all suite files below a folder, or else the folder's own manifests. Empty if there are neither.
 * Rejects with the system's error for a missing path.
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
    .filter(entry => !entry.isDirectory() && !isToolFile(entry.name) && isInput(path.join(absolute, entry.name)))
    .map(entry => path.join(given, entry.name))
    .sort();
  return files.length === 0 ? [] : [{ from: 'manifests', folder: given, files, whole: true }];
}

/** Reports whether this is the name of a suite file. */
export const suiteFile = /\.webhook-test\.(?:ya?ml|json)$/;
const manifestFile = /\.(?:ya?ml|json)$/;
const logFile = /\.(?:log|jsonl|ndjson|eml)$/;

/** Is this a manifest, or a log or mail with captured reviews? */
function isInput(file: string): boolean {
  if (manifestFile.test(file)) return true;
  return logFile.test(file) && /AdmissionReview|audit\.k8s\.io|^content-transfer-encoding: *base64/im.test(startOf(file));
}

/** Returns an empty text for a file that cannot be read, which then counts as not an input. */
function startOf(file: string): string {
  try {
    return readRegularFile(file).toString('latin1');
  } catch {
    return '';
  }
}

/** Tool configuration files next to manifests. */
function isToolFile(name: string): boolean {
  return /^(?:kustomization\.ya?ml|webhook-cli\.yaml|\..*)$/i.test(name);
}

function suiteFilesBelow(folder: string, cwd: string): string[] {
  const entries = readdirSync(path.resolve(cwd, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(entry => {
    const file = path.join(folder, entry.name);
    // Does not follow links to folders, so that it cannot recurse forever.
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : suiteFilesBelow(file, cwd);
    return suiteFile.test(entry.name) ? [file] : [];
  });
}

function isForeign(name: string): boolean {
  return name === 'node_modules' || name === snapshotFolder || name.startsWith('.');
}
