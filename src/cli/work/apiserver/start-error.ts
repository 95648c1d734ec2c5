import path from 'node:path';
import { readNamedFile } from '../../../files/read-file.js';
import { systemReason } from '../../../files/system-reason.js';

/** Why kube-apiserver does not start, in its words. */
export class StartError extends Error {}

/** Reads a file of a flag. Throws StartError with the name as given, as Go does. */
export function readGiven(file: string, cwd: string): string {
  try {
    return readNamedFile(path.resolve(cwd, file)).toString('utf8');
  } catch (error) {
    throw new StartError(`open ${file}: ${error instanceof Error ? systemReason(error) : String(error)}`);
  }
}
