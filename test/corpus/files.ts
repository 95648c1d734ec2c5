import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

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
] as const;

/**
 * The files of a folder: from the packed corpus in fixtures/corpus, or as plain JSON from the folder that
 * WEBHOOK_CLI_CORPUS names. Every file, tables without cases too.
 */
export function readFolder(folder: string): CorpusFile[] {
  const other = process.env['WEBHOOK_CLI_CORPUS'];
  if (other !== undefined && other !== '') return readPlain(path.join(other, folder), folder);
  const packed = path.join(projectRoot, 'fixtures/corpus', `${folder}.json.gz`);
  if (!existsSync(packed)) return [];
  const documents = JSON.parse(gunzipSync(readFileSync(packed)).toString('utf8')) as Record<string, Record<string, unknown>>;
  return Object.entries(documents).map(([name, document]) => ({ folder, name, document }));
}

/** The cases of a file; none when it is a table. */
export function casesOf(file: CorpusFile): CorpusCase[] {
  const cases = file.document['cases'];
  return Array.isArray(cases) ? (cases as CorpusCase[]) : [];
}

/** The plain JSON files of a folder, by name. */
export function readPlain(directory: string, folder: string): CorpusFile[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter(name => name.endsWith('.json'));
  return names.sort().map(name => ({
    folder,
    name: name.slice(0, -'.json'.length),
    document: JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as Record<string, unknown>,
  }));
}

function findRoot(from: string): string {
  let at = path.dirname(new URL(from).pathname);
  while (!existsSync(path.join(at, 'package.json'))) at = path.dirname(at);
  return at;
}
