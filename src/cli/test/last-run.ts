import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWhole } from '../../files/replace-file.js';
import type { TestRun } from '../../suites/results.js';
import type { Surroundings } from '../surroundings.js';
import { caseKey } from './selection.js';

/** The cases that did not pass when tests last ran in this folder; undefined when nothing is remembered. */
export async function failedInLastRun({ cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): Promise<ReadonlySet<string> | undefined> {
  const file = memoryFile(cwd, env);
  if (file === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Array.isArray(data) ? new Set(data.map(String)) : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers which cases did not pass, of those that did not run what was known; a machine that keeps nothing forgets. */
export async function rememberRun(
  { suites }: Pick<TestRun, 'suites'>,
  known: ReadonlySet<string> | undefined,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<void> {
  const file = memoryFile(cwd, env);
  if (file === undefined) return;
  const failed = new Set(known);
  for (const suite of suites) {
    for (const result of suite.cases) {
      if (result.outcome === 'passed') failed.delete(caseKey(suite, result));
      else if (result.outcome !== 'skipped') failed.add(caseKey(suite, result));
    }
  }
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeWhole(file, `${JSON.stringify([...failed])}\n`);
  } catch {
    // It is a convenience: a disk that is full or not ours must not fail the tests.
  }
}

/** In the user's folder of caches, one for each working folder; undefined where there is none. */
function memoryFile(cwd: string, { XDG_CACHE_HOME, LOCALAPPDATA, HOME }: Surroundings['env']): string | undefined {
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME === undefined || HOME === '' ? undefined : path.join(HOME, '.cache'));
  if (cache === undefined || !path.isAbsolute(cache)) return undefined;
  return path.join(cache, 'webhook-cli', 'last-failed', `${createHash('sha256').update(cwd).digest('hex').slice(0, 16)}.json`);
}
