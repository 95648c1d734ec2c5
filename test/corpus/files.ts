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
  'policies',
  'random-calls',
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
  const documents = parseExactly(gunzipSync(readFileSync(packed)).toString('utf8')) as Record<string, Record<string, unknown>>;
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
    document: parseExactly(readFileSync(path.join(directory, name), 'utf8')) as Record<string, unknown>,
  }));
}

/** JSON whose whole numbers keep all their digits: those beyond 2^53 become bigints. */
function parseExactly(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\[\s\S])*"|-?\d{16,}(?![\d.eE])/g, token =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `{"\\u0000":"${token}"}`,
  );
  return JSON.parse(marked, (_key, value: unknown) => {
    const digits = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['\u0000'] : undefined;
    return typeof digits === 'string' ? BigInt(digits) : value;
  });
}

function findRoot(from: string): string {
  let at = path.dirname(new URL(from).pathname);
  while (!existsSync(path.join(at, 'package.json'))) at = path.dirname(at);
  return at;
}
