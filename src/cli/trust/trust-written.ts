import { realpathSync } from 'node:fs';
import path from 'node:path';
import { suiteFile } from '../../suites/find-suites.js';
import { readSuite } from '../../suites/reading/suite-file.js';
import { readInputFile } from '../input/files.js';
import type { Surroundings } from '../surroundings.js';
import { trust } from './consent.js';
import { riskySuites } from './found-suites.js';

/** Trusts a file that this program has just written for the user, as far as it needs trust. Does nothing where trust cannot be recorded. */
export function trustWritten(file: string, { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): void {
  const subjects = suiteFile.test(file)
    ? riskySuites([readSuite(readInputFile(file, cwd), { file, whole: false })], cwd, true).map(({ subject }) => subject)
    : path.basename(file) === 'webhook-cli.yaml'
      ? [{ file: realpathSync(file), contents: [Buffer.from(readInputFile(file, cwd)).toString('latin1')] }]
      : [];
  try {
    for (const subject of subjects) trust(subject, env);
  } catch {
    // A read-only home folder: the commands will say that the file is not trusted.
  }
}
