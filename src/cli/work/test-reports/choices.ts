import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import type { SuiteReporterName } from '../../../reports/suites/reporter-names.js';
import type { ReporterChoice } from '../../options/reporter.js';

/** Returns the reporters of the flags, `default` without any. Throws CliError for two with the same output. */
export function reporterChoices(given: readonly ReporterChoice[] | undefined, cwd: string): readonly ReporterChoice[] {
  const choices = given ?? [{ name: 'default', file: undefined }];
  refuseSharedStdout(choices.filter(({ file }) => file === undefined).map(({ name }) => name));
  const files = choices.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(cwd, file)]));
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined)
    throw new CliError('usage', `two reporters would write the file ${twice}`, { suggestions: ['use a different file for each'] });
  return choices;
}

/** Reporters that may share stdout; the others print documents. */
const lineReporters: readonly SuiteReporterName[] = ['default', 'github'];

function refuseSharedStdout(names: readonly SuiteReporterName[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  const document = names.find(name => !lineReporters.includes(name));
  if (twice === undefined && (names.length < 2 || document === undefined)) return;
  throw new CliError('usage', `the reporters ${names.join(' and ')} cannot share stdout`, {
    suggestions: [`write one to a file, as in --reporter ${document ?? twice}=FILE`],
  });
}
