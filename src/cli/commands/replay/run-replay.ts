import { CliError } from '../../../client/cli-error.js';
import type { ReplayTally, TallySample } from '../../../replay/tally.js';
import type { ReplayRun } from '../../../reports/replay/replay-document.js';
import { replayReport } from '../../../reports/replay/report.js';
import { monotonicMs } from '../../../transport/clock.js';
import { flagWords, shellCommand } from '../../../writers/shell.js';
import { minorOfFlags } from '../../options/server-version.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { terminalPalette } from '../../shell/terminal-palette.js';
import { endOfReplay } from '../../work/replay/end-of-replay.js';
import { checkWebhookFlags } from '../../work/webhooks/cluster-webhooks.js';
import { bytesOfLogs } from './log-lines.js';
import { checkReplayOptions, type ReplayFlagOptions } from './replay-options.js';
import { replayThreads } from './replay-threads.js';

export interface ReplayCommand {
  readonly options: ReplayFlagOptions;
  /** Options on the command line. */
  readonly given: ReadonlySet<string>;
  /** Arguments on the command line, from which the commands of samples are made. */
  readonly argv: readonly string[];
  readonly toolVersion: string;
}

/** Makes the calls of logs again, and prints what would change. Throws CliError. */
export async function runReplay({ options, given, argv, toolVersion }: ReplayCommand, surroundings: Surroundings): Promise<ExitCode> {
  checkWebhookFlags(options, given);
  checkReplayOptions(options);
  if (options.only !== undefined) {
    const { printOnly } = await import('./print-only.js');
    return printOnly({ ...options, only: options.only }, surroundings);
  }
  if (options.rate !== undefined) {
    const { runReplayLoad } = await import('./run-load.js');
    return runReplayLoad({ ...options, rate: options.rate }, surroundings);
  }
  const { stdout } = surroundings;
  const bytes = bytesOfLogs(options.filename ?? [], surroundings.cwd);
  const progress = replayProgress(bytes, surroundings);
  const print = (tally: ReplayTally, complete: boolean): void => {
    const run = { kubernetesVersion: minorOfFlags(options), complete, shard: options.shard, tally, commandOf: commandOf(argv) };
    stdout.write(reportOf(run, options, { toolVersion, surroundings }));
  };
  const threads = replayThreads(options, bytes, surroundings);
  let interruption: Promise<void> | undefined;
  const forget = surroundings.onInterrupt(() => {
    interruption ??= threads.soFar().then(tally => {
      progress.clear();
      print(tally, false);
    });
    return interruption;
  });
  const tally = await threads.run(progress.show).finally(progress.clear);
  if (interruption !== undefined) {
    await interruption;
    return exitCodes.interrupted;
  }
  forget();
  if (tally.lines === 0 && (options.shard?.index ?? 1) === 1)
    throw new CliError('no-objects', 'the log is empty', { suggestions: ['pass an audit log'] });
  print(tally, true);
  // A shard may be without calls.
  return options.shard !== undefined && tally.replayed === 0 ? exitCodes.allowed : endOfReplay(tally, surroundings);
}

function reportOf(
  run: ReplayRun,
  options: Pick<ReplayFlagOptions, 'output' | 'noColor'>,
  { toolVersion, surroundings: { env, stdout } }: { readonly toolVersion: string; readonly surroundings: Surroundings },
): string {
  const palette = terminalPalette(options, { env, stdout });
  return replayReport(run, options.output ?? 'text', { palette, toolVersion });
}

/** Returns the command that makes one call again: these arguments with `--only`, without what belongs to the whole run or may be secret. */
function commandOf(argv: readonly string[]): (sample: TallySample) => string {
  const kept = argv.filter((word, i) => !leftOut.has(nameIn(word)) && !(leftOut.has(argv[i - 1] ?? '') && !word.startsWith('-')));
  return ({ auditId }) => shellCommand(['webhook-cli', 'replay', ...kept, ...flagWords('--only', auditId)]);
}

function nameIn(word: string): string {
  return word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word;
}

const leftOut: ReadonlySet<string> = new Set([
  ...[
    '-o',
    '--output',
    '--no-color',
    '--checkpoint',
    '--checkpoint-every',
    '--jobs',
    '--shard',
    '--sample',
    '--no-dedupe',
    '--qps',
    '--header',
  ],
]);

interface ReplayProgress {
  readonly show: (bytes: number, tally: ReplayTally) => void;
  readonly clear: () => void;
}

const intervalMs = 250;

/** Shows the share of the input that was read, the rate and the remaining time in one line of a terminal; does nothing elsewhere. */
function replayProgress(totalBytes: number | undefined, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): ReplayProgress {
  if (!stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  const start = monotonicMs();
  let shownAt = start;
  return {
    show: (bytes, { replayed, same }) => {
      const now = monotonicMs();
      if (now - shownAt < intervalMs) return;
      shownAt = now;
      const seconds = (now - start) / 1000;
      const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(bytes / totalBytes, 1);
      const left = share === undefined || share === 0 ? '' : `, ${Math.ceil((seconds / share) * (1 - share))} s left`;
      const read = share === undefined ? '' : `${(100 * share).toFixed(1)} %, `;
      stderr.write(`\r\u001b[2K${read}${replayed} calls, ${Math.round(replayed / seconds)}/s, ${replayed - same} changed${left}`);
    },
    clear: () => {
      if (shownAt > start) stderr.write('\r\u001b[2K');
    },
  };
}
