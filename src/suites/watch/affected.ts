import path from 'node:path';
import { suiteFile } from '../find-suites.js';
import { snapshotFolder } from '../snapshots/folder.js';

/** A suite as far as changes of files concern it. All paths are absolute. */
export interface WatchedSuite {
  /** The suite file, or the folder of manifests. */
  readonly file: string;
  /** Files and folders that its cases are made of: itself, manifests, stored objects, state, certificates. */
  readonly inputs: readonly string[];
  /** Files and folders that the process under test is made of; none when the suite starts no process. */
  readonly sources: readonly string[];
}

/** What has to be done about changed files. */
export interface Affected {
  /** Suites to run again. */
  readonly rerun: readonly WatchedSuite[];
  /** Those of them whose process has to be started anew. */
  readonly restart: readonly WatchedSuite[];
  /** A suite that nobody knows may have come. */
  readonly mayBeNew: boolean;
}

/**
 * Which suites changed files concern. Snapshots concern none: a run writes them itself, and a decision about one is no reason to ask again. Nor do
 * the folders of tools, and what editors write on their way.
 */
export function affected(files: readonly string[], suites: readonly WatchedSuite[]): Affected {
  const relevant = files.filter(file => !isIgnored(file));
  const concerns = (paths: readonly string[]): boolean => relevant.some(file => paths.some(known => isAtOrBelow(file, known)));
  const restart = suites.filter(({ sources }) => concerns(sources));
  const rerun = suites.filter(suite => restart.includes(suite) || concerns(suite.inputs));
  const known = new Set(suites.map(({ file }) => file));
  return { rerun, restart, mayBeNew: relevant.some(file => suiteFile.test(file) && !known.has(file)) };
}

/** Files that no suite is made of, wherever they lie. */
export function isIgnored(file: string): boolean {
  const parts = file.split(path.sep);
  return parts.some(part => ignoredFolders.has(part)) || /(?:~|\.sw[px]|\.tmp)$|^\.#|^4913$/.test(parts.at(-1) ?? '');
}

const ignoredFolders = new Set([snapshotFolder, 'node_modules', '.git']);

function isAtOrBelow(file: string, known: string): boolean {
  const relative = path.relative(known, file);
  return relative === '' || !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative));
}
