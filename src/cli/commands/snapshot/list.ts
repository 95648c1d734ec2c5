import type { ObsoleteSnapshot } from '../../../suites/results.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { loadSuites } from '../../work/suites/load-suites.js';
import { findObsoleteSnapshots, tidySnapshots } from '../../work/suites/obsolete.js';
import { readPendingSnapshots } from './decide.js';

/** Prints pending and obsolete snapshots, one line each: `mismatched FILE`. */
export async function listSnapshots(paths: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const pending = await readPendingSnapshots(paths, surroundings);
  const obsolete = await findObsolete(paths, { remove: false }, surroundings);
  const orphans = new Set(obsolete.map(({ file }) => file));
  const lines = [
    ...pending.filter(({ file }) => !orphans.has(`${file}.new`)).map(({ state, file }) => `${state.padEnd(10)} ${file}`),
    ...obsolete.map(({ file }) => `obsolete   ${file}`),
  ];
  surroundings.stdout.write(lines.length === 0 ? 'no pending or obsolete snapshots\n' : `${lines.join('\n')}\n`);
  return exitCodes.allowed;
}

/** Removes obsolete snapshots, including pending ones, and partial files of killed runs. */
export async function cleanSnapshots(paths: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const removed = await findObsolete(paths, { remove: true }, surroundings);
  surroundings.stdout.write(removed.length === 0 ? 'no obsolete snapshots\n' : removed.map(({ file }) => `removed ${file}\n`).join(''));
  return exitCodes.allowed;
}

async function findObsolete(
  paths: readonly string[],
  { remove }: { readonly remove: boolean },
  surroundings: Surroundings,
): Promise<ObsoleteSnapshot[]> {
  const suites = await loadSuites(paths, surroundings);
  if (remove) await tidySnapshots(suites, surroundings.cwd);
  return findObsoleteSnapshots(suites, { cwd: surroundings.cwd, remove });
}
