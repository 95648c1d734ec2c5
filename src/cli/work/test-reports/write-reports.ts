import { appendFile, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { ensureFolder } from '../../../files/ensure-folder.js';
import { writeWhole } from '../../../files/replace-file.js';
import { systemReason } from '../../../files/system-reason.js';
import { reportScript } from '../../../pages/page-files.js';
import { timeLinesOf } from '../../../pages/run-time-lines.js';
import { colorLevel, paletteOf } from '../../../reports/palette.js';
import { suiteText, summaryText } from '../../../reports/suites/default.js';
import { githubSummary } from '../../../reports/suites/github.js';
import { ownPart, ownPartOf } from '../../../reports/suites/own-part.js';
import { suiteReporters } from '../../../reports/suites/reporters.js';
import type { ReporterOptions } from '../../../reports/suites/suite-reporter.js';
import type { SuiteResult, TestRun } from '../../../suites/results.js';
import type { ReporterChoice } from '../../options/reporter.js';
import type { Surroundings } from '../../shell/surroundings.js';

export interface ReportWriting {
  readonly choices: readonly ReporterChoice[];
  /** The version of this tool. */
  readonly toolVersion: string;
  readonly surroundings: Surroundings;
  /** `--no-color`. */
  readonly noColor: boolean;
  /** JSON reports have the steps of calls, where these were measured. */
  readonly withSteps: boolean;
}

/** Reports of a running test run. */
export interface RunningReports {
  /** Prints a suite that has ended. */
  readonly onSuite: (suite: SuiteResult) => void;
  /**
   * Prints and writes every report, those on stdout first; with `github`, appends to the job's summary. Files are replaced atomically. A
   * report that cannot be written does not prevent the others: rejects with CliError `write-failed` for the first one after all were tried.
   */
  readonly end: (run: TestRun) => Promise<void>;
}

/** Starts the reports of a run: `default` prints each suite as it ends, all others print at the end. */
export function startReports(writing: ReportWriting): RunningReports {
  const { choices, surroundings } = writing;
  const { palette } = reporterOptions(writing);
  const isReadAlong = choices.some(({ name, file }) => name === 'default' && file === undefined);
  return {
    onSuite: suite => {
      const own = isReadAlong ? ownPartOf(suite) : undefined;
      if (own !== undefined) surroundings.stdout.write(suiteText(own, palette));
    },
    end: async run => {
      if (isReadAlong) surroundings.stdout.write(summaryText(ownPart(run), palette));
      await writeAtEnd(run, writing);
    },
  };
}

/** Writes the reports of a run that has ended. */
export async function writeReports(run: TestRun, writing: ReportWriting): Promise<void> {
  const { onSuite, end } = startReports(writing);
  for (const suite of run.suites) onSuite(suite);
  await end(run);
}

async function writeAtEnd(run: TestRun, writing: ReportWriting): Promise<void> {
  const { choices, surroundings } = writing;
  const options = reporterOptions(writing);
  const printed = choices.filter(({ name, file }) => file === undefined && name !== 'default');
  for (const { name } of printed) surroundings.stdout.write(suiteReporters[name](run, options));
  const withoutColor = { ...options, palette: paletteOf(0) };
  const failures: CliError[] = [];
  for (const { name, file } of choices) {
    if (file === undefined) continue;
    await attempt(`the ${name} report`, file, failures, () =>
      writeReport(path.resolve(surroundings.cwd, file), suiteReporters[name](run, withoutColor)),
    );
  }
  const summary = surroundings.env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '' && choices.some(({ name }) => name === 'github')) {
    await attempt("the job's summary", summary, failures, () => appendFile(summary, githubSummary(ownPart(run))));
  }
  const [first] = failures;
  if (first !== undefined) throw first;
}

/** Returns the options of reporters, with the colors of stdout. */
function reporterOptions({ toolVersion, surroundings, noColor, withSteps }: Omit<ReportWriting, 'choices'>): ReporterOptions {
  const { env, stdout, cwd } = surroundings;
  return {
    palette: paletteOf(colorLevel(env, { isTerminal: stdout.isTerminal, refused: noColor })),
    toolVersion,
    withSteps,
    pageScript: reportScript,
    timeLines: run => timeLinesOf(run, toolVersion),
    environment: `Node ${process.version} on ${process.platform} ${process.arch}`,
    fileInRepository: file => fileBelow(env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'] ?? cwd, path.resolve(cwd, file)) ?? file,
  };
}

/** Returns a file's path relative to a folder above it, with slashes; undefined when it is outside. */
function fileBelow(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? undefined : relative.split(path.sep).join('/');
}

async function attempt(what: string, file: string, failures: CliError[], write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    failures.push(new CliError('write-failed', `${what} cannot be written: ${systemReason(error)}`, { location: { file }, cause: error }));
  }
}

/** Writes to pipes and devices such as `/dev/stderr` directly; replaces files atomically. */
async function writeReport(file: string, text: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile()) return writeFile(file, text);
  await ensureFolder(path.dirname(file));
  // The user named it: a link is followed.
  await writeWhole(await realpath(file).catch(() => file), text);
}
