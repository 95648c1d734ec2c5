import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { memoizeStrings } from '../../src/kubernetes/memoize.js';

/** One file of the corpus: `cases` and whatever tables they refer to. */
export interface CorpusFile {
  readonly folder: string;
  readonly name: string;
  readonly document: Record<string, unknown>;
}

export type CorpusCase = Record<string, unknown> & { readonly name: string };

/** The folder that holds package.json. */
export const projectRoot = findRoot(import.meta.url);

/** Folders in the order they are reported. */
export const folders = [
  'functions',
  'requests',
  'custom-resources',
  'decisions',
  'selection',
  'expressions',
  'configuration',
  'conversion',
  'policies',
  'random-calls',
  'versions',
] as const;

/**
 * The files of a folder: from the packed corpus in fixtures/corpus, or as plain JSON from the folder that
 * WEBHOOK_CLI_CORPUS names. Every file, tables without cases too.
 */
export function readFolder(folder: string): CorpusFile[] {
  const other = process.env['WEBHOOK_CLI_CORPUS'];
  if (other !== undefined && other !== '') return readPlainFolder(path.join(other, folder), folder);
  return [...packedFiles(folder)];
}

/** Memoized because many files need the same tables of their folder. */
const packedFiles = memoizeStrings(folders.length, (folder): readonly CorpusFile[] => {
  const packed = path.join(projectRoot, 'fixtures/corpus', `${folder}.json.gz`);
  if (!existsSync(packed)) return [];
  const documents = parseExactly(gunzipSync(readFileSync(packed)).toString('utf8')) as Record<string, Record<string, unknown>>;
  return Object.entries(documents).map(([name, document]) => ({ folder, name, document }));
});

/** The cases of a file; none when it is a table. */
export function casesOf(file: CorpusFile): CorpusCase[] {
  const cases = file.document['cases'];
  return Array.isArray(cases) ? (cases as CorpusCase[]) : [];
}

/** The plain JSON files of a folder; other minors have folders of their own, `v1.35/requests`, which are part of the names. */
export function readPlainFolder(directory: string, folder: string): CorpusFile[] {
  if (folder !== 'versions' || !existsSync(directory)) return readPlain(directory, folder);
  const inner = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isDirectory());
  const paths = inner.map(entry => path.relative(directory, path.join(entry.parentPath, entry.name))).sort();
  return paths.flatMap(at => readPlain(path.join(directory, at), folder).map(file => ({ ...file, name: `${at}/${file.name}` })));
}

/** The plain JSON files of a folder, by name. */
export function readPlain(directory: string, folder: string): CorpusFile[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter(name => name.endsWith('.json'));
  return names.sort().map(name => ({
    folder,
    name: name.slice(0, -'.json'.length),
    document: parseExactly(readFileSync(path.join(directory, name), 'utf8')) as Record<string, unknown>,
  }));
}

/** JSON whose whole numbers keep all their digits: those beyond 2^53 become bigints. */
function parseExactly(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\[\s\S])*"|-?\d{16,}(?![\d.eE])/g, token =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `{"\\u0000":"${token}"}`,
  );
  return withBigInts(JSON.parse(marked));
}

/** Puts bigints in the place of marked numbers. Faster than a reviver of JSON.parse, which is called for every value. */
function withBigInts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  const digits = members['\u0000'];
  if (typeof digits === 'string') return BigInt(digits);
  for (const key in members) {
    const member = members[key];
    if (typeof member === 'object' && member !== null) members[key] = withBigInts(member);
  }
  return value;
}

function findRoot(from: string): string {
  let at = path.dirname(new URL(from).pathname);
  while (!existsSync(path.join(at, 'package.json'))) at = path.dirname(at);
  return at;
}
