import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { memoizeStrings } from '../../src/kubernetes/memoize.js';
import { readRecordedText } from '../support/recorded-text.js';

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

/** The files of a folder of fixtures/corpus, or of the corpus that WEBHOOK_CLI_CORPUS names. Every file, tables without cases too. */
export function readFolder(folder: string): CorpusFile[] {
  const other = process.env['WEBHOOK_CLI_CORPUS'];
  if (other !== undefined && other !== '') return readFilesBelow(path.join(other, folder), folder);
  return [...ownFiles(folder)];
}

/** Memoized because many files need the same tables of their folder. */
const ownFiles = memoizeStrings(folders.length, (folder): readonly CorpusFile[] =>
  readFilesBelow(path.join(projectRoot, 'fixtures/corpus', folder), folder),
);

/** The cases of a file; none when it is a table. */
export function casesOf(file: CorpusFile): CorpusCase[] {
  const cases = file.document['cases'];
  return Array.isArray(cases) ? (cases as CorpusCase[]) : [];
}

/** The files of a folder, by name; other minors have folders of their own, `v1.35/requests`, which are part of the names. */
export function readFilesBelow(directory: string, folder: string): CorpusFile[] {
  if (folder !== 'versions' || !existsSync(directory)) return readFilesOf(directory, folder);
  const inner = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isDirectory());
  const paths = inner.map(entry => path.relative(directory, path.join(entry.parentPath, entry.name))).sort();
  return paths.flatMap(at => readFilesOf(path.join(directory, at), folder).map(file => ({ ...file, name: `${at}/${file.name}` })));
}

/** The files directly in a folder, by name. */
export function readFilesOf(directory: string, folder: string): CorpusFile[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).flatMap(file => /^(.+)\.json(?:\.gz)?$/.exec(file)?.[1] ?? []);
  return names.sort().map(name => ({
    folder,
    name,
    document: parseExactly(readRecordedText(path.join(directory, `${name}.json`))) as Record<string, unknown>,
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
