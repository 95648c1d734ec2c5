import { createHash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type InputFile, type LocatedManifest, type Manifest, storedManifests } from '../../../client/manifests/manifests.js';
import { type PackedValues, packValues, unpackValues } from '../../../encoding/packed-values.js';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { removeLeftOvers, writeWhole } from '../../../files/replace-file.js';
import { isList, isMap, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';

/** Smaller states are parsed as quickly as found. */
const leastBytes = 64 * 1024;
const maxEntries = 16;
const maxFolderBytes = 128 * 1024 * 1024;

/**
 * Returns the objects of a state's files. Large ones are kept parsed in a folder, by content: an entry that is damaged, or of another
 * program, is ignored and written again. A state with Secrets is not kept. Throws CliError.
 */
export async function readStateManifests(
  server: ApiServer,
  files: readonly InputFile[],
  folder: string | undefined,
): Promise<readonly LocatedManifest[]> {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (folder === undefined || bytes < leastBytes) return files.flatMap(value => storedManifests(server, value));
  const entry = path.join(folder, `${contentHash(files)}.json`);
  const kept = readEntry(server, entry, files);
  if (kept !== undefined) return kept;
  const manifests = files.map(value => storedManifests(server, value));
  await writeEntry(entry, manifests);
  return manifests.flat();
}

/** The names of files do not count: positions are kept by the number of the file. */
function contentHash(files: readonly InputFile[]): string {
  const hash = createHash('sha256');
  for (const { bytes } of files) hash.update(`${bytes.length}:`).update(bytes);
  return hash.digest('hex');
}

interface Entry {
  readonly documents: readonly EntryDocument[];
  readonly roots: PackedValues;
}

interface EntryDocument {
  /** Number of the file. */
  readonly file: number;
  readonly isList: boolean;
  /** Line and column of each object; 0 where there is no column. */
  readonly places: readonly (readonly [number, number])[];
}

function readEntry(server: ApiServer, entry: string, files: readonly InputFile[]): readonly LocatedManifest[] | undefined {
  try {
    const text = readFileSync(entry, 'latin1');
    const start = text.indexOf('\n') + 1;
    const json = text.slice(start);
    if (text.slice(0, start - 1) !== checksumOf(json)) return undefined;
    const { documents, roots }: Entry = JSON.parse(json);
    const values = unpackValues(roots);
    const locators = files.map(file => locatorOf(server, file));
    const manifests = documents.flatMap((document, i) => {
      const [root, locator] = [values[i], locators[document.file]];
      if (!isMap(root) || locator === undefined) throw new TypeError('not an entry of this cache');
      return manifestsOf(root, document, locator);
    });
    // Entries that are in use are removed last.
    const now = new Date();
    utimesSync(entry, now, now);
    return manifests;
  } catch {
    return undefined;
  }
}

interface Locator {
  readonly source: string;
  /** Objects that came before. */
  count: number;
  /** Parses the file for the position of a field. */
  readonly parsed: () => readonly LocatedManifest[];
}

function locatorOf(server: ApiServer, file: InputFile): Locator {
  let parsed: readonly LocatedManifest[] | undefined;
  return {
    source: file.source,
    count: 0,
    parsed: () => {
      parsed ??= storedManifests(server, file);
      return parsed;
    },
  };
}

function manifestsOf(root: ValueMap, { isList: listed, places }: EntryDocument, locator: Locator): LocatedManifest[] {
  const items = root.get('items');
  const objects = listed && isList(items) ? items : [root];
  return places.map(([line, column], i) => {
    const object = objects[i];
    const number = locator.count;
    locator.count += 1;
    if (!isMap(object)) throw new TypeError('not an entry of this cache');
    const location = { file: locator.source, line, ...(column === 0 ? {} : { column }) };
    const locate = (pointer: string) => locator.parsed()[number]?.locate(pointer) ?? location;
    const manifest = { object, source: locator.source, location, locate };
    return listed ? { ...manifest, list: root } : manifest;
  });
}

/** Says nothing when it cannot write: the next start parses the state again. */
async function writeEntry(entry: string, files: readonly (readonly LocatedManifest[])[]): Promise<void> {
  if (files.flat().some(({ object }) => stringAt(object, 'kind') === 'Secret')) return;
  try {
    const documents = files.flatMap((manifests, file) => documentsOf(manifests, file));
    const roots = packValues(documents.map(({ root }) => root));
    if (roots === undefined) return;
    const content: Entry = { documents: documents.map(({ document }) => document), roots };
    // ASCII: one byte a character.
    const json = JSON.stringify(content).replace(/[^\x00-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const folder = path.dirname(entry);
    await ensureFolder(folder, 0o700);
    await writeWhole(entry, `${checksumOf(json)}\n${json}`);
    await removeLeftOvers(folder);
    await removeOldest(folder);
  } catch {
    // A full disk, a folder that is not ours.
  }
}

function documentsOf(manifests: readonly LocatedManifest[], file: number): { readonly root: ValueMap; readonly document: EntryDocument }[] {
  const byRoot = new Map<ValueMap, Manifest[]>();
  for (const manifest of manifests) {
    const root = manifest.list ?? manifest.object;
    const within = byRoot.get(root);
    if (within === undefined) byRoot.set(root, [manifest]);
    else within.push(manifest);
  }
  return [...byRoot].map(([root, within]) => ({
    root,
    document: {
      file,
      isList: within[0]?.list !== undefined,
      places: within.map(({ location }) => [location.line ?? 0, location.column ?? 0] as const),
    },
  }));
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

async function removeOldest(folder: string): Promise<void> {
  const found = await Promise.all((await readdir(folder)).map(async name => ({ name, stats: await stat(path.join(folder, name)) })));
  found.sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
  let bytes = 0;
  for (const [i, { name, stats }] of found.entries()) {
    bytes += stats.size;
    if (i >= maxEntries || bytes > maxFolderBytes) await rm(path.join(folder, name), { force: true });
  }
}
