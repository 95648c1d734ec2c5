import type { Surroundings } from '../cli/surroundings.js';
import { CliError } from '../client/cli-error.js';
import { type Manifests, manifestsIn } from '../client/manifests/manifests.js';
import type { KubernetesObject } from './options.js';

/** What the functions of the library see of the machine. There is no terminal to ask, and no stdin. */
export type LibrarySurroundings = Pick<Surroundings, 'cwd' | 'stdin' | 'uid' | 'now' | 'random'>;

/** The process's own clock and chance, and a folder where paths begin. */
export function librarySurroundings(cwd: string | undefined): LibrarySurroundings {
  return {
    cwd: cwd ?? process.cwd(),
    stdin: { isTerminal: true, read: async () => new Uint8Array(), keys: async function* () {} },
    uid: () => crypto.randomUUID(),
    now: () => new Date(),
    random: Math.random,
  };
}

/** Paths as they are; throws CliError for stdin, which is the program's and not ours. */
export function withoutStdin(paths: readonly string[]): string[] {
  if (paths.includes('-')) throw new CliError('usage', 'nothing is read from stdin here', { suggestions: ['name files', 'pass objects'] });
  return [...paths];
}

/** The objects of data or of text, as `kubectl -f -` would read them. Throws CliError, which calls the text `source`. */
export function objectsOf(given: KubernetesObject | string, source: string): Manifests {
  return manifestsIn({ source, bytes: Buffer.from(typeof given === 'string' ? given : jsonOf(given, source)) });
}

function jsonOf(data: KubernetesObject, source: string): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('invalid-manifest', `is no object that JSON can hold: ${reason}`, { location: { file: source }, cause: error });
  }
}
