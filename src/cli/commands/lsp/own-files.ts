import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { TextProblem } from '../../../language-server/diagnostics/problem.js';
import { lineEnd, linesOfText, offsetAt } from '../../../language-server/text/line-starts.js';
import { InvalidSuite } from '../../../suites/faults.js';
import { suiteFile } from '../../../suites/find-suites.js';
import { readSuite } from '../../../suites/reading/suite-file.js';
import { readValues } from '../../options/configuration-file.js';
import type { KnownFlags } from '../../options/known-flags.js';

/** Returns the problems of a suite or of `webhook-cli.yaml`, as `test` and all commands report them; undefined for other files. */
export async function checkOwnFile(
  file: string,
  text: string,
  flags: () => Promise<KnownFlags>,
): Promise<readonly TextProblem[] | undefined> {
  if (suiteFile.test(file)) return collectProblems(text, () => readSuite(Buffer.from(text), { file, whole: false }));
  if (!isConfigurationFile(file)) return undefined;
  const place = { cwd: path.dirname(file), file, shown: path.basename(file), known: await flags() };
  return collectProblems(text, () => readValues(Buffer.from(text), place));
}

/** Reports whether a file is the configuration of a repository. */
export function isConfigurationFile(file: string): boolean {
  return path.basename(file) === 'webhook-cli.yaml';
}

async function collectProblems(text: string, read: () => unknown): Promise<readonly TextProblem[]> {
  try {
    await read();
    return [];
  } catch (error) {
    if (error instanceof InvalidSuite) return [error, ...error.others].map(one => problemAt(text, one.message, one.place));
    if (error instanceof CliError) return [problemAt(text, [error.message, ...error.suggestions].join('; '), error.location ?? {})];
    throw error;
  }
}

/** Lines and columns count from 1, columns in characters. */
function problemAt(
  text: string,
  message: string,
  { line = 1, column = 1 }: { readonly line?: number | undefined; readonly column?: number | undefined },
): TextProblem {
  const start = Math.min(offsetAt(linesOfText(text), line - 1, column - 1), text.length);
  return { start, end: Math.max(start, lineEnd(text, start)), severity: 'error', source: 'webhook-cli', message };
}
