import { CliError } from '../../../client/cli-error.js';
import { manifestsIn } from '../../../client/manifests/manifests.js';
import { findSuites, type SuiteSource } from '../../../suites/find-suites.js';
import { manifestSuite } from '../../../suites/manifest-suite.js';
import { readSuite } from '../../../suites/reading/suite-file.js';
import { isRecording, type Recording, readRecording } from '../../../suites/recording.js';
import type { Suite } from '../../../suites/suite.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { readFoundInput, readInputFile } from '../input/files.js';
import { withSuiteErrors } from './suite-error.js';

/**
 * Loads the suites of paths, each once, in order. Calls `onManifests` with the number of manifests of each folder before they are read. Throws CliError for
 * paths without suites.
 */
export async function loadSuites(
  paths: readonly string[],
  { cwd }: Pick<Surroundings, 'cwd'>,
  onManifests: (count: number) => void = () => {},
): Promise<Suite[]> {
  const sources = paths.flatMap(given => sourcesOf(given, cwd));
  const suites: Suite[] = [];
  const errors: CliError[] = [];
  for (const source of distinct(sources)) {
    try {
      if (source.from === 'manifests') {
        onManifests(source.files.length);
        suites.push(manifestSuite(source, recordingsIn(source.files, cwd)));
      } else suites.push(withSuiteErrors(() => readSuite((source.whole ? readFoundInput : readInputFile)(source.file, cwd), source)));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(error, ...error.others);
    }
  }
  const [first, ...others] = errors;
  if (first !== undefined) throw new CliError(first.code, first.message, { ...first, cause: first.cause, others });
  return suites;
}

/** Quick test for files that may be recordings. */
const maybeRecording = /^\s*"?kind"?: ?"?Recording\b/m;

/** The recordings among files. Throws CliError for an invalid one. A file that cannot be read fails as a case, and the others run. */
function recordingsIn(files: readonly string[], cwd: string): ReadonlyMap<string, Recording> {
  const found = files.flatMap(file => {
    const read = bytesOf(file, cwd);
    if (read === undefined) return [];
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    if (!bytes.includes('Recording') || !maybeRecording.test(bytes.toString('latin1'))) return [];
    const [manifest] = manifestsIn({ source: file, bytes }).manifests;
    if (manifest === undefined || !isRecording(manifest.object)) return [];
    const recording = readRecording(manifest.object);
    if ('error' in recording) throw new CliError('invalid-manifest', recording.error, { location: manifest.locate(recording.pointer) });
    return [[file, recording] as const];
  });
  return new Map(found);
}

function bytesOf(file: string, cwd: string): Uint8Array | undefined {
  try {
    return readFoundInput(file, cwd);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Paths may overlap. */
function distinct(sources: readonly SuiteSource[]): SuiteSource[] {
  const byPlace = new Map(
    sources.map(source => [source.from === 'file' ? source.file : JSON.stringify([source.folder, source.files]), source]),
  );
  return [...byPlace.values()];
}

function sourcesOf(given: string, cwd: string): SuiteSource[] {
  const found = pathsOf(given, cwd);
  if (found.length > 0) return found;
  throw new CliError('no-objects', `no tests ran: ${given} contains neither suites nor manifests`, {
    suggestions: ['pass a suite file (*.webhook-test.yaml) or a folder of manifests'],
  });
}

function pathsOf(given: string, cwd: string): SuiteSource[] {
  try {
    return findSuites(given, cwd);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`;
    throw new CliError('unreadable-file', `the path ${JSON.stringify(given)} ${reason}`, {
      suggestions: ['pass a suite file (*.webhook-test.yaml) or a folder'],
      cause: error,
    });
  }
}
