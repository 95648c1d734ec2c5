import path from 'node:path';
import { CliError } from '../../../client/cli-error.js';
import { writeWhole } from '../../../files/replace-file.js';
import { systemReason } from '../../../files/system-reason.js';
import { mergedTally } from '../../../replay/tally.js';
import { colorLevel, paletteOf } from '../../../reports/palette.js';
import { type ReplayReading, readReplayReport } from '../../../reports/replay/read-replay-report.js';
import { type ReplayFormat, replayFormats, replayReport } from '../../../reports/replay/report.js';
import type { ReporterChoice } from '../../options/reporter.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { endOfReplay } from '../../work/replay/end-of-replay.js';

/** The report of a shard, as it is in its file. */
export interface ReportFile {
  readonly file: string;
  readonly text: string;
}

export interface ReplayMerge {
  readonly choices: readonly ReporterChoice[];
  readonly noColor: boolean;
  readonly toolVersion: string;
}

type Read = Extract<ReplayReading, { outcome: 'read' }> & { readonly file: string };

/** Merges the reports of the shards of a replay, and returns its exit code; 3 when a shard is missing. Throws CliError. */
export async function mergeReplays(
  files: readonly ReportFile[],
  { choices, noColor, toolVersion }: ReplayMerge,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const read = files.map(readFile);
  const missing = missingShards(read);
  const [first, ...others] = read;
  if (first === undefined) throw new Error('no reports');
  const versions = new Set(read.map(({ run }) => run.kubernetesVersion));
  if (versions.size > 1) throw new CliError('usage', `the reports are of different Kubernetes versions: ${[...versions].join(', ')}`);
  const commands = new Map(read.flatMap(({ commands: own }) => [...own]));
  const run = {
    ...first.run,
    shard: undefined,
    complete: missing.length === 0 && read.every(({ run: { complete } }) => complete),
    tally: others.reduce((sum, { run: { tally } }) => mergedTally(sum, tally), first.run.tally),
    commandOf: ({ auditId }: { readonly auditId: string }) => commands.get(auditId) ?? '',
  };
  const { env, stdout, stderr, cwd } = surroundings;
  for (const { name, file } of choices) {
    const isTerminal = file === undefined && stdout.isTerminal;
    const report = replayReport(run, formatOf(name), {
      palette: paletteOf(colorLevel(env, { isTerminal, refused: noColor })),
      toolVersion,
    });
    if (file === undefined) stdout.write(report);
    else await write(file, report, cwd);
  }
  for (const { index, count } of missing)
    stderr.write(`error: missing shard ${index} of ${count}; run it again with --shard ${index}/${count}, and pass its report\n`);
  if (missing.length > 0) return exitCodes.input;
  return endOfReplay(run.tally, surroundings);
}

function readFile({ file, text }: ReportFile): Read {
  const reading = readReplayReport(text);
  if (reading.outcome === 'read') return { ...reading, file };
  const { message, line, column } = reading;
  throw new CliError('invalid-manifest', `not a report of a replay: ${message}`, {
    location: { file, line, column },
    suggestions: ['pass a file written with replay -o json'],
  });
}

/** Throws CliError for reports that are not parts of one replay. */
function missingShards(read: readonly Read[]): readonly { readonly index: number; readonly count: number }[] {
  const count = read[0]?.run.shard?.count;
  const found = new Map<number, string>();
  for (const { file, run } of read) {
    if (run.shard === undefined || run.shard.count !== count)
      throw new CliError('usage', `${file} and ${read[0]?.file} are not shards of one replay`, {
        suggestions: ['pass one report of each --shard I/N'],
      });
    const twin = found.get(run.shard.index);
    if (twin !== undefined) throw new CliError('usage', `${twin} and ${file} are both shard ${run.shard.index} of ${count}`);
    found.set(run.shard.index, file);
  }
  return Array.from({ length: count ?? 0 }, (_, i) => ({ index: i + 1, count: count ?? 0 })).filter(({ index }) => !found.has(index));
}

function formatOf(reporter: ReporterChoice['name']): ReplayFormat {
  const [first, ...others] = replayFormats;
  const format = reporter === 'default' ? first : others.find(name => name === reporter);
  if (format !== undefined) return format;
  throw new CliError('usage', `the report of a replay has no reporter ${reporter}`, {
    suggestions: [`use one of default, ${others.join(', ')}`],
  });
}

async function write(file: string, report: string, cwd: string): Promise<void> {
  try {
    await writeWhole(path.resolve(cwd, file), report);
  } catch (error) {
    throw new CliError('write-failed', `the report cannot be written: ${systemReason(error)}`, { location: { file }, cause: error });
  }
}
