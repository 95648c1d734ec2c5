import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { pathOptions } from '../../../client/options/all-options.js';

/** Throws CliError for paths of a suite that are named pipes or devices, which could be waited for without end: only the command line may name them. */
export function refusePipes(options: object, cwd: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (!pathOptions.includes(name) || value === undefined) continue;
    for (const file of [value].flat().map(String)) {
      const absolute = path.resolve(cwd, file);
      const stats = absolute === devNull ? undefined : statSync(absolute, { throwIfNoEntry: false });
      if (stats?.isFIFO() === true || stats?.isCharacterDevice() === true)
        throw new CliError('unreadable-file', 'cannot be read: it is not a regular file', { location: { file } });
    }
  }
}
