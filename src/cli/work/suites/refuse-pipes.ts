import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { pathsOfOptions } from '../../../suites/reading/suite-fields.js';

/** Throws CliError for paths of a suite that are named pipes or devices, which could be waited for without end: only the command line may name them. */
export function refusePipes(options: object, cwd: string): void {
  for (const file of pathsOfOptions(options)) {
    const absolute = path.resolve(cwd, file);
    const stats = absolute === devNull ? undefined : statSync(absolute, { throwIfNoEntry: false });
    if (stats?.isFIFO() === true || stats?.isCharacterDevice() === true)
      throw new CliError('unreadable-file', 'cannot be read: it is not a regular file', { location: { file } });
  }
}
