import path from 'node:path';
import { systemReason } from '../cli/shell/system-reason.js';
import { readNamedFile } from '../files/read-file.js';

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
