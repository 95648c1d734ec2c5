import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Suite } from '../../suites/suite.js';
import { isAtOrBelow } from '../../suites/watch/affected.js';
import { watched } from '../test/watch-tests.js';

export interface Surrounding {
  readonly cwd: string;
  /** Absolute paths from the command line. */
  readonly inputs: readonly string[];
  /** Files of the suites that ran before. */
  readonly known: ReadonlySet<string>;
}

/** Suites affected by changed files, and those of them whose process must be restarted. */
export interface Concerned {
  readonly rerun: readonly Suite[];
  readonly restart: readonly Suite[];
}

/**
 * A manifest, a file of the state or the suite makes a suite run again; any other file below the working directory of its process is
 * code, unless git ignores it, and restarts the process.
 */
export async function concernedSuites(
  files: readonly string[],
  suites: readonly Suite[],
  { cwd, inputs, known }: Surrounding,
): Promise<Concerned> {
  const about = suites.map(suite => {
    const { inputs: own, sources } = watched(suite, cwd);
    const isInput = (file: string): boolean => [...own, ...inputs].some(input => isAtOrBelow(file, input));
    const code = files.filter(file => !isInput(file) && sources.some(source => isAtOrBelow(file, source)));
    return { suite, code, hasInput: files.some(isInput) || !known.has(suite.file) };
  });
  const code = [...new Set(about.flatMap(each => each.code))];
  const ignored = code.length === 0 ? new Set<string>() : await ignoredByGit(code, path.resolve(cwd));
  const restart = about.filter(each => each.code.some(file => !ignored.has(file))).map(({ suite }) => suite);
  return { rerun: about.filter(({ suite, hasInput }) => hasInput || restart.includes(suite)).map(({ suite }) => suite), restart };
}

/** Returns which of some absolute paths git ignores; none outside a repository, or without git. */
async function ignoredByGit(files: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  // Not in a bare repository that a clone contains as files: its configuration could name a program.
  const child = spawn('git', ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false', 'check-ignore', '-z', '--stdin'], {
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<boolean>(resolve => {
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(true));
  });
  // Without git, nothing reads the list.
  child.stdin.on('error', () => {});
  child.stdin.end(files.join('\0'));
  const chunks: Buffer[] = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  return (await ended) ? new Set(Buffer.concat(chunks).toString().split('\0')) : new Set();
}
