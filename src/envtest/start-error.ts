import { readFileSync } from 'node:fs';
import path from 'node:path';
import { systemReason } from '../cli/system-reason.js';

/** Why kube-apiserver does not start, in its words. */
export class StartError extends Error {}

/** Reads a file of a flag. Throws StartError with the name as given, as Go does. */
export function readGiven(file: string, cwd: string): string {
  try {
    return readFileSync(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new StartError(`open ${file}: ${error instanceof Error ? systemReason(error) : String(error)}`);
  }
}
