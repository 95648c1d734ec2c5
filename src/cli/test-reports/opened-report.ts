import { CliError } from '../../client/cli-error.js';
import { reportFile } from '../open-report.js';
import type { TestFlags } from '../test/test-flags.js';
import type { ReporterChoice } from './choices.js';

/** Reports of a run, one of which may be opened in the browser. */
export interface OpenedChoices {
  readonly choices: readonly ReporterChoice[];
  /** The file of the HTML report, with `--open`. */
  readonly opened: string | undefined;
}

/** Adds the HTML report of `--open`, unless `--reporter html=FILE` writes it. Throws CliError. */
export async function withOpenedReport(choices: readonly ReporterChoice[], { open, watch }: TestFlags): Promise<OpenedChoices> {
  if (open !== true) return { choices, opened: undefined };
  if (watch === true) throw new CliError('usage', '--open and --watch are mutually exclusive');
  const given = choices.find(({ name, file }) => name === 'html' && file !== undefined)?.file;
  const file = given ?? (await reportFile());
  return { choices: given === undefined ? [...choices, { name: 'html', file }] : choices, opened: file };
}
