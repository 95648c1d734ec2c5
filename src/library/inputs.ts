import type { Surroundings } from '../cli/shell/surroundings.js';
import { CliError } from '../client/cli-error.js';
import { type Manifests, manifestsIn } from '../client/manifests/manifests.js';
import type { KubernetesObject } from './options.js';

/** The environment of library functions: without terminal and stdin. */
export type LibrarySurroundings = Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now' | 'random'>;

/** Returns the process's clock and randomness, with a base directory. */
export function librarySurroundings(cwd: string | undefined): LibrarySurroundings {
  return {
    cwd: cwd ?? process.cwd(),
    stdin: { isTerminal: true, read: async () => new Uint8Array(), keys: async function* () {} },
    uid: () => crypto.randomUUID(),
    now: () => new Date(),
    random: Math.random,
  };
}

/** Returns the paths; throws CliError for stdin, which belongs to the calling program. */
export function withoutStdin(paths: readonly string[]): string[] {
  if (paths.includes('-'))
    throw new CliError('usage', 'stdin is not supported in the library', { suggestions: ['pass files', 'pass objects'] });
  return [...paths];
}

/** Returns the objects of data or text, as `kubectl -f -` reads them. Throws CliError; `source` is the file in messages. */
export function objectsOf(given: KubernetesObject | string, source: string): Manifests {
  return manifestsIn({ source, bytes: Buffer.from(typeof given === 'string' ? given : jsonOf(given, source)) });
}

function jsonOf(data: KubernetesObject, source: string): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('invalid-manifest', `cannot be written as JSON: ${reason}`, { location: { file: source }, cause: error });
  }
}
