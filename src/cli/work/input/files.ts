import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { type BuiltPath, builtPath, builtPathIn, helmPrefix } from '../../../client/manifests/input-path.js';
import type { InputFile } from '../../../client/manifests/manifests.js';
import { maxFileBytes, readFoundUnlessFolder, readNamedFile, readRegularFile, readUnlessFolder } from '../../../files/read-file.js';
import { systemReason } from '../../../files/system-reason.js';
import { BadPattern, hasPattern, matchesName } from '../../../go/path-match.js';
import { printable } from '../../../writers/printable.js';
import type { Surroundings } from '../../shell/surroundings.js';

export interface FileSelection {
  /** Flag of the paths, for messages: `--filename`. */
  readonly flag: string;
  readonly paths: readonly string[];
  /** Search folders recursively. */
  readonly recursive: boolean;
  /** The user named a file that names these paths: pipes and devices are not read. */
  readonly areFound?: boolean;
}

const extensions = ['.json', '.yaml', '.yml'];

/**
 * Reads the paths of `-f` in kubectl's order: files, manifests of folders, globs, `-`.
 * Throws CliError for paths that lead to nothing or cannot be read. Source: cli-runtime resource/builder.go, visitor.go.
 */
export async function readInputFiles(selection: FileSelection, surroundings: InputSurroundings): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const reading of inputFiles(selection, surroundings)) {
    const { source, read } = reading instanceof Promise ? await reading : reading;
    if (read instanceof CliError) throw read;
    files.push({ source, bytes: read });
  }
  return files;
}

/** Notes are for stderr; the library has none. */
export type InputSurroundings = Pick<Surroundings, 'cwd' | 'stdin'> & Partial<Pick<Surroundings, 'stderr'>>;

/** A file's bytes, or why it cannot be read. */
export interface FileReading {
  readonly source: string;
  readonly read: Uint8Array | CliError;
}

/**
 * Reads the same files one at a time, and continues after one that cannot be read. Only what has to be waited for is a promise: stdin, and the output
 * of kustomize. Throws CliError for paths that lead to nothing.
 */
export function* inputFiles(selection: FileSelection, surroundings: InputSurroundings): Generator<FileReading | Promise<FileReading>> {
  for (const given of selection.paths.flatMap(listing => listed(listing, surroundings.cwd))) {
    if (given === '') throw new CliError('usage', `${selection.flag} is empty`, { suggestions: [`pass a file, a folder or a pattern`] });
    const built = builtPathIn(given);
    if (given === '-') yield readStandardInput(selection, surroundings);
    else if (built !== undefined) yield readBuilt(built, surroundings);
    else yield* readingsOf(given, selection, surroundings.cwd);
  }
}

/** Nearly all paths are files, and there may be thousands: they are read without being looked up first. */
function* readingsOf(given: string, selection: FileSelection, cwd: string): Generator<FileReading> {
  const readFile = selection.areFound === true ? readFoundUnlessFolder : readUnlessFolder;
  const read = orError(() => readBy(readFile, given, path.resolve(cwd, given)));
  if (read !== undefined) yield { source: given, read };
  else yield* readingsOfSources(namedSources(given, selection, cwd), cwd);
}

/** A file to read, which the user named, or which was found. */
export interface InputSource {
  readonly source: string;
  readonly isNamed: boolean;
}

/** Returns the files of paths that are neither stdin nor kustomizations, in the order in which they are read. Throws CliError. */
export function inputSources(selection: FileSelection, cwd: string): InputSource[] {
  return selection.paths.flatMap(listing => listed(listing, cwd)).flatMap(given => namedSources(given, selection, cwd));
}

function namedSources(given: string, selection: FileSelection, cwd: string): InputSource[] {
  return sourcesOf(given, selection, cwd).map(source => ({ source, isNamed: source === given && selection.areFound !== true }));
}

/** Reads these files, one at a time. */
export function* readingsOfSources(sources: readonly InputSource[], cwd: string): Generator<FileReading> {
  for (const { source, isNamed } of sources) yield { source, read: orError(() => (isNamed ? readInputFile : readFoundInput)(source, cwd)) };
}

async function readBuilt(built: BuiltPath, { cwd, stderr }: InputSurroundings): Promise<FileReading> {
  const { buildKustomization, renderChart } = await import('./build-manifests.js');
  const source = builtPath(built);
  try {
    if (built.prefix === helmPrefix) return { source, read: await renderChart(built, cwd) };
    const { remoteResources } = await import('./remote-resources.js');
    for (const name of remoteResources(path.resolve(cwd, built.folder))) stderr?.write(`note: ${source} fetches ${printable(name)}\n`);
    return { source, read: await buildKustomization(built.folder, cwd) };
  } catch (error) {
    if (error instanceof CliError) return { source, read: error };
    throw error;
  }
}

/** Splits `a.yaml,b.yaml`, as kubectl does, unless a file has that name. */
function listed(given: string, cwd: string): readonly string[] {
  return given.includes(',') && !existing(path.resolve(cwd, given)) && matchesOf(given, cwd).length === 0 ? given.split(',') : [given];
}

function orError<T>(read: () => T): T | CliError {
  try {
    return read();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** Reads one file that the user named. Throws CliError. */
export function readInputFile(file: string, cwd: string): Uint8Array {
  return readBy(readNamedFile, file, path.resolve(cwd, file));
}

/** Reads one file that was found in a folder or by a pattern. Throws CliError, also for pipes and devices. */
export function readFoundInput(file: string, cwd: string): Uint8Array {
  return readBy(readRegularFile, file, path.resolve(cwd, file));
}

function readBy<T>(read: (file: string) => T, file: string, absolute: string): T {
  try {
    return read(absolute);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readStandardInput({ flag }: FileSelection, { stdin }: Pick<Surroundings, 'stdin'>): Promise<FileReading> {
  if (stdin.isTerminal) {
    throw new CliError('unreadable-file', `${flag} - reads a manifest from stdin, which is a terminal`, {
      suggestions: ['pipe a manifest into the command', `pass ${flag} FILE`],
    });
  }
  try {
    return { source: 'STDIN', read: await stdin.read(maxFileBytes) };
  } catch (error) {
    throw unreadable('STDIN', error);
  }
}

function sourcesOf(given: string, selection: FileSelection, cwd: string): string[] {
  if (/^https?:\/\//.test(given)) {
    throw new CliError('unreadable-file', `${given} is an address, and only local files are read`, { suggestions: ['download it first'] });
  }
  if (given.includes('\0')) throw new CliError('usage', `${selection.flag} contains a NUL character`);
  const matches = existing(path.resolve(cwd, given)) ? [given] : matchesOf(given, cwd);
  if (matches.length === 0) {
    throw new CliError('unreadable-file', `the path ${JSON.stringify(given)} does not exist`, {
      suggestions: [`pass a file, a folder or a pattern to ${selection.flag}`],
    });
  }
  return matches.flatMap(match => (isFolder(path.resolve(cwd, match)) ? manifestsIn(match, selection, cwd) : [match]));
}

/** A dangling or circular link exists: the error is that of reading it. */
function existing(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(file: string): boolean {
  return statOf(file)?.isDirectory() ?? false;
}

/** Returns the status of a path; undefined when it cannot be read. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function manifestsIn(folder: string, { recursive }: FileSelection, cwd: string): string[] {
  const found = walk(folder, recursive, cwd);
  if (found.length === 0) {
    throw new CliError('unreadable-file', `error reading [${folder}]: recognized file extensions are [${extensions.join(' ')}]`, {
      suggestions: recursive ? ['pass a folder with manifests'] : ['pass -R to search its subfolders'],
    });
  }
  return found;
}

function walk(folder: string, recursive: boolean, cwd: string): string[] {
  const names = listFolder(folder, cwd);
  return names.flatMap(name => {
    const file = path.join(folder, name);
    // Snapshots of test runs are not manifests.
    if (name === '__snapshots__') return [];
    // Links to folders are not followed, which avoids cycles.
    if (lstatSync(path.resolve(cwd, file)).isDirectory()) return recursive ? walk(file, recursive, cwd) : [];
    return extensions.includes(path.extname(name)) ? [file] : [];
  });
}

function listFolder(folder: string, cwd: string): string[] {
  try {
    return readdirSync(path.resolve(cwd, folder)).sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Returns the paths that match a glob with `*`, `?` and `[...]`, sorted, like Go's filepath.Glob. */
function matchesOf(pattern: string, cwd: string): string[] {
  try {
    return pathsMatching(pattern, cwd);
  } catch (error) {
    if (!(error instanceof BadPattern)) throw error;
    throw new CliError('usage', `pattern ${JSON.stringify(pattern)} is not valid: ${error.message}`);
  }
}

function pathsMatching(pattern: string, cwd: string): string[] {
  if (!hasPattern(pattern)) return [];
  const parts = pattern.split('/');
  let found = parts[0] === '' ? ['/'] : [''];
  for (const [i, part] of parts.entries()) {
    if (part === '') continue;
    const isLast = i === parts.length - 1;
    found = found.flatMap(base => namesIn(base, part, cwd).map(name => (base === '' || base === '/' ? base + name : `${base}/${name}`)));
    if (!isLast) found = found.filter(base => isFolder(path.resolve(cwd, base)));
  }
  return found.filter(match => match !== '');
}

function namesIn(base: string, part: string, cwd: string): string[] {
  const folder = path.resolve(cwd, base === '' ? '.' : base);
  if (!hasPattern(part)) return existsSync(path.join(folder, part)) ? [part] : [];
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.filter(name => matchesName(part, name)).sort();
}

/** Returns the error for a file that cannot be read. */
function unreadable(file: string, error: unknown): CliError {
  return new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
}
