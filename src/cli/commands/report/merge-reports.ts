import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { readNamedFile } from '../../../files/read-file.js';
import { systemReason } from '../../../files/system-reason.js';
import { isReplayReport } from '../../../reports/replay/read-replay-report.js';
import { readTestReport } from '../../../reports/suites/read-json.js';
import { needsOfReporter } from '../../../reports/suites/reporter-names.js';
import { mergeRuns, type ReportedRun } from '../../../suites/merge-runs.js';
import type { ReporterChoice } from '../../options/reporter.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { exitCodeOfRun } from '../../work/suites/exit-code.js';
import { reporterChoices } from '../../work/test-reports/choices.js';
import { writeReports } from '../../work/test-reports/write-reports.js';
import type { ReportFile } from './merge-replays.js';

export interface MergeCommand {
  /** Reports made with `--reporter json=FILE`. */
  readonly files: readonly string[];
  readonly reporter: readonly ReporterChoice[] | undefined;
  readonly noColor: boolean;
  /** The version of this tool. */
  readonly toolVersion: string;
}

/**
 * Merges the reports of a run's shards, and returns the run's exit code. When shards are missing, it reports the others, names the missing
 * ones, and returns 3. Throws CliError for files that are not reports of one run.
 */
export async function mergeReports({ files, reporter, noColor, toolVersion }: MergeCommand, surroundings: Surroundings): Promise<ExitCode> {
  const choices = reporterChoices(reporter, surroundings.cwd);
  const [first, ...others] = files;
  if (first === undefined) {
    throw new CliError('usage', 'no reports specified', { suggestions: ['pass files written with test --reporter json=FILE'] });
  }
  const texts: [ReportFile, ...ReportFile[]] = [await reportIn(first, surroundings)];
  for (const file of others) texts.push(await reportIn(file, surroundings));
  if (texts.some(({ text }) => isReplayReport(text))) {
    const { mergeReplays } = await import('./merge-replays.js');
    return mergeReplays(texts, { choices, noColor, toolVersion }, surroundings);
  }
  const [firstText, ...otherTexts] = texts;
  const reported: [ReportedRun, ...ReportedRun[]] = [readReport(firstText), ...otherTexts.map(readReport)];
  const merged = mergeRuns(reported);
  if (merged.outcome === 'refused') {
    throw new CliError('invalid-configuration', `these are not the shards of one run: ${merged.message}`, {
      suggestions: ['pass each shard exactly once'],
    });
  }
  await writeReports(merged.run, { choices, toolVersion, surroundings, noColor, withSteps: true });
  const withoutSteps = choices.some(({ name }) => needsOfReporter(name).showsSteps === true) ? reported.filter(lacksSteps) : [];
  for (const { file } of withoutSteps) {
    surroundings.stderr.write(`note: no time lines for the calls in ${file}: write it with test --include steps --reporter json=FILE\n`);
  }
  for (const { index, count } of merged.missing) {
    surroundings.stderr.write(
      `error: missing shard ${index} of ${count}; run it again with --shard ${index}/${count}, and pass its report\n`,
    );
  }
  return gravestExitCode([exitCodeOfRun(merged.run), ...(merged.missing.length === 0 ? [] : [exitCodes.input])]);
}

/** Reports whether there are calls whose steps the report does not contain. */
function lacksSteps({ run }: ReportedRun): boolean {
  return run.suites.some(({ cases }) => cases.some(({ calls }) => calls.some(({ report }) => report.timing === undefined)));
}

function readReport({ file, text }: ReportFile): ReportedRun {
  const read = readTestReport(text);
  if (read.outcome === 'read') return { file, run: read.run };
  const { message, line, column } = read;
  throw new CliError('invalid-syntax', `not a report of a test run: ${message}`, {
    location: { file, line, column },
    suggestions: ['pass a file written with test --reporter json=FILE'],
  });
}

async function reportIn(file: string, { cwd }: Pick<Surroundings, 'cwd'>): Promise<ReportFile> {
  try {
    return { file, text: readNamedFile(path.resolve(cwd, file)).toString('utf8') };
  } catch (error) {
    throw new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
  }
}
