import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, stat, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { CertificateError } from './certificate-error.js';
import { dataLink, type FileName, type FolderFiles, fileNames, generationPrefix, recordName, recordOf } from './certificate-folder.js';

export interface Publication {
  readonly files: FolderFiles;
  readonly trustPreviousUntil?: string | undefined;
  /** Files that are not ours and are moved out of the way: `tls.key.bak-20260601T120000Z`. */
  readonly displaced: readonly FileName[];
  readonly now: Date;
}

/** What became of it. */
export interface Published {
  /** False where links cannot be had: then the files were replaced one after the other. */
  readonly atOnce: boolean;
  readonly backups: readonly string[];
}

/**
 * Puts all files into a folder at once: they are written into a new folder inside it, and one rename lets a link point there. So
 * whoever reads meets the old files or the new ones, whenever we are stopped, and no key is ever readable for others. A folder that
 * is itself a link is followed. Fails with the system's error, the old files in place.
 */
export async function publishFolder(folder: string, publication: Publication): Promise<Published> {
  const stamp = publication.now.toISOString().replace(/[-:]|\.\d+/g, '');
  if ((await lstat(folder).catch(() => undefined)) === undefined) return publishNewFolder(folder, { publication, stamp });
  const target = await realpath(folder);
  if (!(await stat(target)).isDirectory()) {
    throw new CertificateError('refused', `${path.basename(folder)} is there already and no folder`, ['pass another --out-dir']);
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

/** Removes what interrupted runs left, and takes others' permissions off the keys; the names of those that had any. */
export async function tidyFolder(folder: string): Promise<FileName[]> {
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

/** A folder that does not exist yet appears with everything in it. */
async function publishNewFolder(folder: string, { publication, stamp }: NewFolder): Promise<Published> {
  const parent = path.dirname(folder);
  await makeFolders(parent);
  await removeLeftOvers(parent, undefined, newFolderPrefix);
  const name = uniqueName(newFolderPrefix, stamp);
  beingMade.add(name);
  try {
    const unfinished = path.join(parent, name);
    await makeFolder(unfinished, 0o755);
    const generation = await writeGeneration(unfinished, publication, stamp);
    const atOnce = await pointTo(unfinished, generation);
    if (!atOnce) await replaceOneByOne(unfinished, generation);
    await rename(unfinished, folder);
    await sync(parent);
    return { atOnce, backups: [] };
  } catch (error) {
    // It has keys, and no .gitignore names it.
    await rm(path.join(parent, name), { recursive: true, force: true });
    throw error;
  } finally {
    beingMade.delete(name);
  }
}

/** Makes a folder and those above it. Node's own recursive creation never ends in file systems such as /proc. */
async function makeFolders(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => undefined)) !== undefined) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolders(parent);
  await mkdir(folder);
}

/** The names of the new folders that this process is making: several may be made beside each other. */
const beingMade = new Set<string>();

const newFolderPrefix = '.certs-webhook-cli-';

function uniqueName(prefix: string, stamp: string): string {
  return `${prefix}${stamp}-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Writes the files into a folder of their own, which nobody looks into yet; its name. */
async function writeGeneration(folder: string, { files, trustPreviousUntil }: Publication, stamp: string): Promise<string> {
  const generation = uniqueName(generationPrefix, stamp);
  const place = path.join(folder, generation);
  await makeFolder(place, 0o700);
  for (const name of fileNames) await writeNew(path.join(place, name), files[name], name.endsWith('.key') ? 0o600 : 0o644);
  await writeNew(path.join(place, recordName), recordOf(files, trustPreviousUntil), 0o644);
  await chmod(place, 0o755);
  await sync(place);
  return generation;
}

/** A folder with this mode whatever the umask. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  await mkdir(folder, mode);
  await chmod(folder, mode);
}

/** A file that did not exist, with this mode from its first byte on whatever the umask, on disk when this returns. */
async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Lets the link point to the generation, and the files' own links to the link; false where there are no links. */
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

/** A link that is already there leads to the new file by itself. */
async function linkFile(folder: string, name: FileName): Promise<void> {
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

/** A link stays, as it will lead to the new file; what it leads to now is kept as a file. */
async function copyBehindLink(link: string, backup: string, name: FileName): Promise<void> {
  const target = await realpath(link);
  const handle = await open(target, 'r');
  try {
    await writeNew(backup, await handle.readFile('utf8'), name.endsWith('.key') ? 0o600 : 0o644);
  } finally {
    await handle.close();
  }
  const leadsToData = path.dirname(target) === (await realpath(path.join(path.dirname(link), dataLink)).catch(() => ''));
  if (!leadsToData) await unlink(link);
}

/** Folders and links that dead processes left, and every generation but the one in use. */
async function removeLeftOvers(folder: string, current: string | undefined, prefix = generationPrefix): Promise<void> {
  const inUse = current ?? path.basename(await realpath(path.join(folder, dataLink)).catch(() => ''));
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || name === inUse || isOfLiveProcess(name)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** The process is in the name; our own older generations may go. */
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

/** Folders cannot be synced everywhere, and need not be. */
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
