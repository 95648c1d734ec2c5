import path from 'node:path';
import { suiteFile } from '../find-suites.js';
import { snapshotFolder } from '../snapshot-folder.js';

/** Dependencies of a suite. All paths are absolute. */
export interface WatchedSuite {
  /** The suite file, or the folder of manifests. */
  readonly file: string;
  /** Files and folders of its cases: itself, manifests, stored objects, state, certificates. */
  readonly inputs: readonly string[];
  /** Files and folders of the process under test; empty if the suite starts no process. */
  readonly sources: readonly string[];
}

/** Suites affected by changed files. */
export interface Affected {
  /** Suites to run again. */
  readonly rerun: readonly WatchedSuite[];
  /** Those of them whose process must be restarted. */
  readonly restart: readonly WatchedSuite[];
  /** A new suite may exist. */
  readonly mayBeNew: boolean;
}

/**
 * Determines which suites are affected by changed files. Snapshots affect none, because a run writes them itself and accepting one needs no
 * rerun; neither do tool folders and temporary files of editors.
 */
export function affected(files: readonly string[], suites: readonly WatchedSuite[]): Affected {
  const relevant = files.filter(file => !isIgnored(file));
  const concerns = (paths: readonly string[]): boolean => relevant.some(file => paths.some(known => isAtOrBelow(file, known)));
  const restart = suites.filter(({ sources }) => concerns(sources));
  const rerun = suites.filter(suite => restart.includes(suite) || concerns(suite.inputs));
  const known = new Set(suites.map(({ file }) => file));
  return { rerun, restart, mayBeNew: relevant.some(file => suiteFile.test(file) && !known.has(file)) };
}

/** Files that belong to no suite, in any folder. */
export function isIgnored(file: string): boolean {
  const parts = file.split(path.sep);
  return parts.some(part => ignoredFolders.has(part)) || /(?:~|\.sw[px]|\.tmp)$|^\.#|^4913$/.test(parts.at(-1) ?? '');
}

/** Folders below watched ones that only tools fill. */
export const toolFolders: ReadonlySet<string> = new Set([
  'target',
  '__pycache__',
  'venv',
  '.venv',
  '.tox',
  '.gradle',
  '.mypy_cache',
  '.pytest_cache',
]);

const ignoredFolders = new Set([snapshotFolder, 'node_modules', '.git']);

/** Reports whether a path is another one, or below it. */
export function isAtOrBelow(file: string, known: string): boolean {
  const relative = path.relative(known, file);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
