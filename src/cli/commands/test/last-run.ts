import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { writeWhole } from '../../../files/replace-file.js';
import type { TestRun } from '../../../suites/results.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { caseKey } from './selection.js';

/** Returns the cases that did not pass in the last run in this folder; undefined without a record. */
export async function readFailedInLastRun({ cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): Promise<ReadonlySet<string> | undefined> {
  const file = memoryFile(cwd, env);
  if (file === undefined) return undefined;
  try {
    const [cases = '', checksum] = (await readFile(file, 'utf8')).split('\n');
    if (checksum !== checksumOf(cases)) return undefined;
    const data: unknown = JSON.parse(cases);
    return Array.isArray(data) ? new Set(data.map(String)) : undefined;
  } catch {
    return undefined;
  }
}

/** Records the cases that did not pass; keeps the record of cases that did not run. */
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
    await ensureFolder(path.dirname(file));
    const cases = JSON.stringify([...failed]);
    await writeWhole(file, `${cases}\n${checksumOf(cases)}\n`);
  } catch {
    // A convenience: a full or read-only disk must not fail the tests.
  }
}

/** Returns the file in the user's cache folder, one per working directory; undefined without a cache folder. */
function memoryFile(cwd: string, { XDG_CACHE_HOME, LOCALAPPDATA, HOME }: Surroundings['env']): string | undefined {
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME === undefined || HOME === '' ? undefined : path.join(HOME, '.cache'));
  if (cache === undefined || !path.isAbsolute(cache)) return undefined;
  return path.join(cache, 'webhook-cli', 'last-failed', `${checksumOf(cwd).slice(0, 16)}.json`);
}

/** A record with a changed name would leave out a case that failed. */
function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
