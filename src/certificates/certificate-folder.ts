import { createHash } from 'node:crypto';
import { readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Files of a certificate folder, named as in controller-runtime and in Secrets. */
export const fileNames = ['ca.crt', 'ca.key', 'tls.crt', 'tls.key'] as const;

export type FileName = (typeof fileNames)[number];

/** Contents of all files. */
export type FolderFiles = Readonly<Record<FileName, string>>;

/** Link to the folder with the current files, as in a mounted Secret: changing it changes all files at once. */
export const dataLink = '..data';

/** Record of the files that this program wrote. */
export const recordName = '.webhook-cli.json';

/** Prefix of the folders that this program creates; followed by time, process ID and a random part. */
export const generationPrefix = '..webhook-cli-';

/** Contents of a folder. */
export type FolderState =
  | { readonly state: 'empty' }
  | {
      readonly state: 'ours';
      readonly files: FolderFiles;
      readonly trustPreviousUntil: string | undefined;
      /** False if the program was stopped before it created the last link. */
      readonly complete: boolean;
    }
  /** Files of these names that this program did not write, or that were changed since; `files` has the readable ones. */
  | { readonly state: 'foreign'; readonly foreign: readonly FileName[]; readonly files: Partial<FolderFiles> };

interface FolderRecord {
  readonly digests: Readonly<Record<string, string>>;
  readonly trustPreviousUntil?: string | undefined;
}

/** Returns the record of files. `trustPreviousUntil`: the time after which no certificate of the previous authority is valid. */
export function folderRecordOf(files: FolderFiles, trustPreviousUntil: string | undefined): string {
  const record = {
    madeBy: 'webhook-cli',
    digests: Object.fromEntries(fileNames.map(name => [name, digestOf(files[name])])),
    trustPreviousUntil,
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Reads a folder; links are followed. Fails with a system error other than a missing file. */
export async function readFolder(folder: string): Promise<FolderState> {
  const files: Partial<Record<FileName, string>> = {};
  for (const name of fileNames) {
    const text = await readText(path.join(folder, name));
    if (text !== undefined) files[name] = text;
  }
  const data = await resolveDataFolder(folder);
  const record = await readRecord(data);
  const present = fileNames.filter(name => files[name] !== undefined);
  if (record === undefined) return present.length === 0 ? { state: 'empty' } : { state: 'foreign', foreign: present, files };
  const foreign = present.filter(name => record.digests[name] !== digestOf(files[name] ?? ''));
  if (foreign.length > 0) return { state: 'foreign', foreign, files };
  // A link is missing if the program was stopped before the last one: its target exists.
  const all = await readFiles(data);
  if (all === undefined) return { state: 'empty' };
  return { state: 'ours', files: all, trustPreviousUntil: record.trustPreviousUntil, complete: present.length === fileNames.length };
}

/** Returns the folder of the files: the target of the link, or the folder itself if links are not supported. */
async function resolveDataFolder(folder: string): Promise<string> {
  try {
    return path.join(await realpath(folder), await readlink(path.join(folder, dataLink)));
  } catch {
    return folder;
  }
}

async function readFiles(folder: string): Promise<FolderFiles | undefined> {
  const texts = await Promise.all(fileNames.map(name => readText(path.join(folder, name))));
  const [caCrt, caKey, tlsCrt, tlsKey] = texts;
  if (caCrt === undefined || caKey === undefined || tlsCrt === undefined || tlsKey === undefined) return undefined;
  return { 'ca.crt': caCrt, 'ca.key': caKey, 'tls.crt': tlsCrt, 'tls.key': tlsKey };
}

async function readRecord(folder: string): Promise<FolderRecord | undefined> {
  const text = await readText(path.join(folder, recordName));
  if (text === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(record: unknown): record is FolderRecord {
  return (
    typeof record === 'object' && record !== null && 'digests' in record && typeof record.digests === 'object' && record.digests !== null
  );
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
