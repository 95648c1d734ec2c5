import { CliError } from '../../../client/cli-error.js';
import {
  entriesIn,
  type FileEntries,
  type InputFile,
  type LocatedManifest,
  type Manifests,
  manifestsIn,
} from '../../../client/manifests/manifests.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { type FileReading, type FileSelection, inputFiles, readInputFiles } from './files.js';

/**
 * Reads the objects of the files that a flag names; the items of lists become objects of their own. All files are read first. Throws CliError with
 * file and line.
 */
export async function readManifestFiles(selection: FileSelection, surroundings: Pick<Surroundings, 'cwd' | 'stdin'>): Promise<Manifests> {
  const files = (await readInputFiles(selection, surroundings)).map(manifestsIn);
  const manifests = files.flatMap(file => file.manifests);
  if (manifests.length === 0) {
    throw noObjects(
      files.map(({ source }) => source),
      selection,
    );
  }
  return { manifests, warnings: files.flatMap(file => file.warnings) };
}

/** Objects in order, and errors in place of what cannot be used. */
export interface ManifestEntries {
  readonly entries: readonly (LocatedManifest | CliError)[];
  readonly warnings: readonly string[];
  readonly files: number;
}

/**
 * Reads the same, and continues after files and documents that cannot be used, as kubectl does. Throws CliError when there is nothing at all.
 * `entriesOf` reads one file.
 */
export async function readEntries(
  selection: FileSelection,
  surroundings: Pick<Surroundings, 'cwd' | 'stdin'>,
  entriesOf: (file: InputFile) => FileEntries | Promise<FileEntries> = entriesIn,
): Promise<ManifestEntries> {
  const { sources, ...found } = await collectEntries(inputFiles(selection, surroundings), entriesOf);
  if (found.entries.length === 0) throw noObjects(sources, selection);
  return { ...found, files: sources.length };
}

/** Returns what is in files, and the files. */
export async function collectEntries(
  readings: Iterable<FileReading | Promise<FileReading>>,
  entriesOf: (file: InputFile) => FileEntries | Promise<FileEntries>,
): Promise<Pick<ManifestEntries, 'entries' | 'warnings'> & { readonly sources: readonly string[] }> {
  const entries: (LocatedManifest | CliError)[] = [];
  const warnings: string[] = [];
  const sources: string[] = [];
  for (const reading of readings) {
    const { source, read } = reading instanceof Promise ? await reading : reading;
    sources.push(source);
    if (read instanceof CliError) {
      entries.push(read);
      continue;
    }
    const found = entriesOf({ source, bytes: read });
    const file = found instanceof Promise ? await found : found;
    for (const entry of file.entries) entries.push(entry);
    for (const warning of file.warnings) warnings.push(warning);
  }
  return { entries, warnings, sources };
}

/** Returns the error for files without objects. */
export function noObjects(sources: readonly string[], { flag }: FileSelection): CliError {
  const [first = '', second] = sources;
  const where = second === undefined ? first : `${first} and ${sources.length - 1} more file${sources.length === 2 ? '' : 's'}`;
  return new CliError('no-objects', `no objects found in ${where}`, { suggestions: [`pass a manifest to ${flag}`] });
}
