import { tmpdir } from 'node:os';
import { CliError } from '../../client/cli-error.js';
import { systemReason } from '../../files/system-reason.js';
import { type FolderContents, temporaryFolder } from '../../suites/process/left-behind.js';

/** Creates a temporary folder for files with keys and tokens, which only the user can read. The caller removes it. Throws CliError when it cannot be created. */
export function privateFolder(contents: FolderContents): string {
  try {
    return temporaryFolder(contents);
  } catch (error) {
    throw new CliError('write-failed', `cannot create a temporary folder: ${systemReason(error)}`, {
      location: { file: tmpdir() },
      suggestions: ['set TMPDIR to a folder that you can write to'],
      cause: error,
    });
  }
}
