import { findSuites, type SuiteSource } from '../../suites/find-suites.js';
import { manifestSuite } from '../../suites/manifest-suite.js';
import type { Suite } from '../../suites/suite.js';
import { CliError } from '../cli-error.js';
import type { Surroundings } from '../surroundings.js';

/** The suites that paths name, each once, in their order. Throws CliError for paths that lead to none. */
export async function loadSuites(paths: readonly string[], { cwd }: Pick<Surroundings, 'cwd'>): Promise<Suite[]> {
  const sources = paths.flatMap(given => sourcesOf(given, cwd));
  const suites: Suite[] = [];
  for (const source of sources) {
    if (source.from === 'manifests') suites.push(manifestSuite(source));
  }
  return suites;
}

function sourcesOf(given: string, cwd: string): SuiteSource[] {
  const found = pathsOf(given, cwd);
  if (found.length > 0) return found;
  throw new CliError('no-objects', `no tests ran: ${given} holds neither suites nor manifests`, {
    suggestions: ['name a suite file, *.webhook-test.yaml, or a folder of manifests'],
  });
}

function pathsOf(given: string, cwd: string): SuiteSource[] {
  try {
    return findSuites(given, cwd);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`;
    throw new CliError('unreadable-file', `the path ${JSON.stringify(given)} ${reason}`, {
      suggestions: ['name a suite file, *.webhook-test.yaml, or a folder'],
      cause: error,
    });
  }
}
