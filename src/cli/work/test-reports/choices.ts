import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { nearest } from '../../../client/nearest.js';
import { type SuiteReporterName, suiteReporters } from '../../../reports/suites/reporters.js';

/** One `--reporter NAME[=FILE]`. */
export interface ReporterChoice {
  readonly name: SuiteReporterName;
  /** As given; undefined: stdout. */
  readonly file: string | undefined;
}

/** Returns the reporters of the flags, `default` without any. Throws CliError for unknown reporters, and for two with the same output. */
export function reporterChoices(values: readonly string[] | undefined, cwd: string): readonly ReporterChoice[] {
  const choices = (values ?? ['default']).map(choiceOf);
  refuseSharedStdout(choices.filter(({ file }) => file === undefined).map(({ name }) => name));
  const files = choices.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(cwd, file)]));
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined)
    throw new CliError('usage', `two reporters would write the file ${twice}`, { suggestions: ['use a different file for each'] });
  return choices;
}

function choiceOf(word: string): ReporterChoice {
  const at = word.indexOf('=');
  const name = at < 0 ? word : word.slice(0, at);
  const file = at < 0 ? undefined : word.slice(at + 1);
  if (!isReporter(name)) {
    const known = Object.keys(suiteReporters);
    const meant = nearest(name, known);
    throw new CliError('usage', `unknown reporter ${JSON.stringify(name)}`, {
      suggestions: [meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`],
    });
  }
  if (file === '') throw new CliError('usage', `missing file of --reporter ${word}`, { suggestions: [`write --reporter ${name}=FILE`] });
  return { name, file };
}

function isReporter(name: string): name is SuiteReporterName {
  return Object.hasOwn(suiteReporters, name);
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
