import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { strangerOf } from '../../../files/only-own.js';
import { systemReason } from '../../../files/system-reason.js';

/** A file that was found, not named by the user: its contents, or the reason why it is not read. */
export type FoundFile = { readonly bytes: Buffer; readonly realPath: string } | { readonly refused: string };

const maxBytes = 1024 * 1024;
const rootUser = 0;

/**
 * Reads a file that a stranger may have written. Refuses everything that is not a regular file of this user or of root, files that other users can
 * write, and files over 1 MiB. `anyOwner`: the user trusts found files, whoever owns them.
 */
export function readFoundFile(file: string, anyOwner: boolean): FoundFile {
  let opened: number | undefined;
  try {
    // The link itself, too: another user's link could lead to any file of this user.
    const link = lstatSync(file);
    // Without waiting: a named pipe has no writer.
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(opened);
    const refused = anyOwner ? regularOnly(stats) : (regularOnly(stats) ?? strange(link, stats));
    if (refused !== undefined) return { refused };
    return { bytes: firstBytes(opened, stats.size), realPath: realpathSync(file) };
  } catch (error) {
    return { refused: systemReason(error) };
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/**
 * Returns the contents of a kubeconfig that a found file names, for the consent to both: it may run a program. None if it does not come with the
 * repository of the found file: the user's own changes often.
 */
export function contentsInRepository(foundFile: string, named: string): string[] {
  if (!named.startsWith(repositoryOf(path.dirname(foundFile)) + path.sep)) return [];
  const found = readFoundFile(named, true);
  return ['refused' in found ? found.refused : found.bytes.toString('latin1')];
}

/** Outside a repository, the folder. */
function repositoryOf(folder: string, above = folder): string {
  if (existsSync(path.join(above, '.git'))) return above;
  const parent = path.dirname(above);
  return parent === above ? folder : repositoryOf(folder, parent);
}

function regularOnly(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'it is not a regular file';
  return stats.size > maxBytes ? 'it is larger than 1 MiB' : undefined;
}

function strange(link: Stats, stats: Stats): string | undefined {
  const [ofLink, ofFile] = [link, stats].map(found => strangerOf(found, process.geteuid?.(), 0o002, rootUser));
  // The mode of a link says nothing.
  if (ofLink === 'owner' || ofFile === 'owner') return 'it belongs to another user';
  return ofFile === undefined ? undefined : 'other users can write it';
}

function firstBytes(opened: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(opened, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
