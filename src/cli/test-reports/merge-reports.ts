import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../client/cli-error.js';
import { isReplayReport } from '../../reports/replay/read-replay-report.js';
import { readTestReport } from '../../reports/suites/read-json.js';
import { mergeRuns, type ReportedRun } from '../../suites/merge-runs.js';
import { type ExitCode, exitCodes, gravestExitCode } from '../exit-codes.js';
import type { ReplayFile } from '../replay/merge-replays.js';
import type { Surroundings } from '../surroundings.js';
import { systemReason } from '../system-reason.js';
import { exitCodeOfRun } from '../test/exit-code.js';
import { reporterChoices } from './choices.js';
import { writeReports } from './write-reports.js';

export interface MergeCommand {
  /** Reports made with `--reporter json=FILE`. */
  readonly files: readonly string[];
  readonly reporter: readonly string[] | undefined;
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
  const replays = await replayFiles(files, surroundings);
  if (replays !== undefined) {
    const { mergeReplays } = await import('../replay/merge-replays.js');
    return mergeReplays(replays, { choices, noColor, toolVersion }, surroundings);
  }
  const reported: [ReportedRun, ...ReportedRun[]] = [await readReport(first, surroundings)];
  for (const file of others) reported.push(await readReport(file, surroundings));
  const merged = mergeRuns(reported);
  if (merged.outcome === 'refused') {
    throw new CliError('invalid-configuration', `these are not the shards of one run: ${merged.message}`, {
      suggestions: ['pass each shard exactly once'],
    });
  }
  await writeReports(merged.run, { choices, toolVersion, surroundings, noColor });
  for (const { index, count } of merged.missing) {
    surroundings.stderr.write(
      `error: missing shard ${index} of ${count}; run it again with --shard ${index}/${count}, and pass its report\n`,
    );
  }
  return gravestExitCode([exitCodeOfRun(merged.run), ...(merged.missing.length === 0 ? [] : [exitCodes.input])]);
}

/** Returns the documents of the files if one of them is the report of a replay. */
async function replayFiles(files: readonly string[], { cwd }: Pick<Surroundings, 'cwd'>): Promise<readonly ReplayFile[] | undefined> {
  const texts = await Promise.all(files.map(async file => ({ file, text: await textOf(file, cwd) })));
  const documents = texts.map(({ file, text }) => ({ file, document: jsonIn(text) }));
  return documents.some(({ document }) => isReplayReport(document)) ? documents : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readReport(file: string, { cwd }: Pick<Surroundings, 'cwd'>): Promise<ReportedRun> {
  const read = readTestReport(await textOf(file, cwd));
  if (read.outcome === 'read') return { file, run: read.run };
  const { message, line, column } = read;
  throw new CliError('invalid-syntax', `not a report of a test run: ${message}`, {
    location: { file, line, column },
    suggestions: ['pass a file written with test --reporter json=FILE'],
  });
}

async function textOf(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new CliError('unreadable-file', `cannot be read: ${systemReason(error)}`, { location: { file }, cause: error });
  }
}
