import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { ensureFolder } from '../files/ensure-folder.js';
import { CertificateError } from './certificate-error.js';
import {
  dataLink,
  type FileName,
  type FolderFiles,
  fileNames,
  folderRecordOf,
  generationPrefix,
  recordName,
} from './certificate-folder.js';

export interface Publication {
  readonly files: FolderFiles;
  readonly trustPreviousUntil?: string | undefined;
  /** Foreign files that are moved out of the way: `tls.key.bak-20260601T120000Z`. */
  readonly displaced: readonly FileName[];
  readonly now: Date;
}

/** Result of publishing. */
export interface Published {
  /** False if links are not supported: then the files were replaced one after the other. */
  readonly atOnce: boolean;
  readonly backups: readonly string[];
}

/**
 * Replaces all files of a folder at once: they are written into a new subfolder, and one rename redirects a link to it. Readers see the
 * old files or the new ones, even if the program is stopped, and keys are never readable for others. A folder that is a link is followed.
 * Fails with the system's error, with the old files in place.
 */
export async function publishFolder(folder: string, publication: Publication): Promise<Published> {
  const stamp = publication.now.toISOString().replace(/[-:]|\.\d+/g, '');
  if ((await lstat(folder).catch(() => undefined)) === undefined) return publishNewFolder(folder, { publication, stamp });
  const target = await realpath(folder);
  if (!(await stat(target)).isDirectory()) {
    throw new CertificateError('refused', `${path.basename(folder)} exists and is not a folder`, ['pass another --out-dir']);
  }
  await removeLeftOvers(target, undefined);
  const backups = await displace(target, publication.displaced, stamp);
  const generation = await writeGeneration(target, publication, stamp);
  const atOnce = await pointTo(target, generation);
  if (!atOnce) await replaceOneByOne(target, generation);
  await removeLeftOvers(target, atOnce ? generation : undefined);
  return { atOnce, backups };
}

interface NewFolder {
  readonly publication: Publication;
  readonly stamp: string;
}

/** Removes the remains of interrupted runs and the permissions of others on keys; returns the names of those keys. */
export async function tidyPublished(folder: string): Promise<FileName[]> {
  await removeLeftOvers(await realpath(folder), undefined);
  const open: FileName[] = [];
  for (const name of fileNames.filter(file => file.endsWith('.key'))) {
    const file = path.join(folder, name);
    const { mode } = await stat(file);
    if ((mode & 0o077) === 0 || process.platform === 'win32') continue;
    await chmod(file, 0o600);
    open.push(name);
  }
  return open;
}

/** Creates a folder with all its files at once. */
async function publishNewFolder(folder: string, { publication, stamp }: NewFolder): Promise<Published> {
  const parent = path.dirname(folder);
  await ensureFolder(parent);
  await removeLeftOvers(parent, undefined, newFolderPrefix);
  const unfinished = path.join(parent, uniqueName(newFolderPrefix, stamp));
  beingMade.add(path.basename(unfinished));
  try {
    await makeFolder(unfinished, 0o755);
    // A killed run leaves this folder with its keys.
    await writeNew(path.join(unfinished, ignoreName), '*\n', { mode: 0o644, shown: unfinished });
    const generation = await writeGeneration(unfinished, publication, stamp);
    const atOnce = await pointTo(unfinished, generation);
    if (!atOnce) await replaceOneByOne(unfinished, generation);
    await rename(unfinished, folder);
    await rm(path.join(folder, ignoreName));
    await sync(parent);
    return { atOnce, backups: [] };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // The caller knows the folder by its final name.
    if (error instanceof Error && 'path' in error && typeof error.path === 'string') error.path = error.path.replace(unfinished, folder);
    throw error;
  } finally {
    beingMade.delete(path.basename(unfinished));
  }
}

const ignoreName = '.gitignore';

/** Names of the new folders of this process: several may be created concurrently. */
const beingMade = new Set<string>();

const newFolderPrefix = '.certs-webhook-cli-';

function uniqueName(prefix: string, stamp: string): string {
  return `${prefix}${stamp}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Writes the files into a new folder and returns its name. */
async function writeGeneration(folder: string, { files, trustPreviousUntil }: Publication, stamp: string): Promise<string> {
  const generation = uniqueName(generationPrefix, stamp);
  const place = path.join(folder, generation);
  await makeFolder(place, 0o700);
  for (const name of fileNames)
    await writeNew(path.join(place, name), files[name], { mode: name.endsWith('.key') ? 0o600 : 0o644, shown: path.join(folder, name) });
  const record = folderRecordOf(files, trustPreviousUntil);
  await writeNew(path.join(place, recordName), record, { mode: 0o644, shown: path.join(folder, recordName) });
  await chmod(place, 0o755);
  await sync(place);
  return generation;
}

/** Creates a folder with this mode, regardless of the umask. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, mode);
  await chmod(folder, mode);
}

interface NewFile {
  readonly mode: number;
  /** Path that users know it by. */
  readonly shown: string;
}

/** Creates a file with this mode from its first byte on, regardless of the umask, and syncs it. Fails with the system's error, which has the path to show. */
async function writeNew(file: string, text: string, { mode, shown }: NewFile): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // The system names no file where a write fails.
    throw error instanceof Error ? Object.assign(error, { path: shown }) : error;
  }
}

/** Redirects the link to the generation, and the files' links to the link; returns false if links are not supported. */
async function pointTo(folder: string, generation: string): Promise<boolean> {
  const unfinished = path.join(folder, uniqueName(generationPrefix, 'link'));
  try {
    await symlink(generation, unfinished);
  } catch (error) {
    if (isWithoutLinks(error)) return false;
    throw error;
  }
  await rename(unfinished, path.join(folder, dataLink));
  for (const name of fileNames) await linkFile(folder, name);
  await sync(folder);
  return true;
}

/** An existing link already leads to the new file, or to nothing: then it was not displaced. */
async function linkFile(folder: string, name: FileName): Promise<void> {
  const isFound = await stat(path.join(folder, name)).then(
    () => true,
    () => false,
  );
  if (!isFound) await rm(path.join(folder, name), { force: true });
  try {
    await symlink(path.join(dataLink, name), path.join(folder, name));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

async function replaceOneByOne(folder: string, generation: string): Promise<void> {
  for (const name of [...fileNames, recordName]) await rename(path.join(folder, generation, name), path.join(folder, name));
  await sync(folder);
}

async function displace(folder: string, names: readonly FileName[], stamp: string): Promise<string[]> {
  const backups: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    const status = await lstat(file).catch(() => undefined);
    if (status === undefined) continue;
    const backup = `${name}.bak-${stamp}`;
    if (status.isSymbolicLink()) await copyBehindLink(file, path.join(folder, backup), name);
    else await rename(file, path.join(folder, backup));
    backups.push(backup);
  }
  return backups;
}

/** Keeps a link, which will lead to the new file; its current target is copied. */
async function copyBehindLink(link: string, backup: string, name: FileName): Promise<void> {
  const target = await realpath(link);
  const handle = await open(target, 'r');
  try {
    await writeNew(backup, await handle.readFile('utf8'), { mode: name.endsWith('.key') ? 0o600 : 0o644, shown: backup });
  } finally {
    await handle.close();
  }
  const leadsToData = path.dirname(target) === (await realpath(path.join(path.dirname(link), dataLink)).catch(() => ''));
  if (!leadsToData) await unlink(link);
}

/** Removes folders and links of dead processes, and every generation but the current one. */
async function removeLeftOvers(folder: string, current: string | undefined, prefix = generationPrefix): Promise<void> {
  const inUse = current ?? path.basename(await realpath(path.join(folder, dataLink)).catch(() => ''));
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === inUse || isOfLiveProcess(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** The name contains the process ID; older generations of this process may be removed. */
function isOfLiveProcess(name: string): boolean {
  const pid = Number(/-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1] ?? 0);
  if (pid === 0 || pid === process.pid) return beingMade.has(name);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Folders cannot be synced on every system, and need not be. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL'].some(code => hasCode(error, code));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
