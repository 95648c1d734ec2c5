import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import { pathsOfOptions } from '../../../suites/reading/suite-fields.js';
import type { CaseOptions } from '../../../suites/suite.js';

/**
 * Throws CliError for paths of a suite that are named pipes or devices, which could be waited for without end: only the command line may name them. Manifests are
 * refused when they are read (`areFound` of FileSelection): there may be thousands.
 */
export function refusePipes({ filename: _, ...options }: Partial<CaseOptions & WebhookFlagOptions>, cwd: string): void {
  for (const file of pathsOfOptions(options)) {
    const absolute = path.resolve(cwd, file);
    const stats = absolute === devNull ? undefined : statSync(absolute, { throwIfNoEntry: false });
    if (stats?.isFIFO() === true || stats?.isCharacterDevice() === true)
      throw new CliError('unreadable-file', 'cannot be read: it is not a regular file', { location: { file } });
  }
}
