import { availableParallelism } from 'node:os';
import { CliError, invalidFlag } from '../../client/cli-error.js';
import { shellWord } from '../../client/shell-word.js';
import { mergedTally, newTally, type Sample, type Tally } from '../../replay/tally.js';
import type { ReplayRun } from '../../reports/replay/replay-document.js';
import { type ReplayFormat, replayFormats, replayReport } from '../../reports/replay/report.js';
import { monotonicMs } from '../../transport/clock.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { minorOfFlags } from '../input/server-version.js';
import type { Surroundings } from '../surroundings.js';
import { terminalPalette } from '../terminal-palette.js';
import { connectThreads } from '../test/threads/remote-functions.js';
import type { MainFunctions, ThreadFunctions } from '../test/threads/thread-functions.js';
import { checkWebhookFlags } from '../webhooks/cluster-webhooks.js';
import { endOfReplay } from './end-of-replay.js';
import { bytesOfLogs } from './log-lines.js';
import { checkReplayOptions, type ReplayOptions, shardOf } from './replay-options.js';
import { replayPart } from './replay-part.js';

export interface ReplayCommand {
  readonly options: ReplayOptions;
  /** Options on the command line. */
  readonly given: ReadonlySet<string>;
  /** Words of the command line, from which the commands of samples are made. */
  readonly words: readonly string[];
  readonly toolVersion: string;
}

/** Makes the calls of logs again, and prints what would change. Throws CliError. */
export async function runReplay({ options, given, words, toolVersion }: ReplayCommand, surroundings: Surroundings): Promise<ExitCode> {
  checkWebhookFlags(options, given);
  checkReplayOptions(options);
  if (options.only !== undefined) {
    const { printOnly } = await import('./print-only.js');
    return printOnly({ ...options, only: options.only }, surroundings);
  }
  if (options.rate !== undefined) {
    const { runLoad } = await import('./run-load.js');
    return runLoad({ ...options, rate: options.rate }, surroundings);
  }
  const { stdout } = surroundings;
  const running: { tally: Tally } = { tally: newTally() };
  const bytes = bytesOfLogs(options.filename ?? [], surroundings.cwd);
  const progress = replayProgress(bytes, surroundings);
  const print = (tally: Tally, complete: boolean): void => {
    const run = { kubernetesVersion: minorOfFlags(options), complete, shard: shardOf(options), tally, commandOf: commandOf(words) };
    stdout.write(reportOf(run, options, { toolVersion, surroundings }));
  };
  const forget = surroundings.onInterrupt(async () => {
    progress.clear();
    print(running.tally, false);
  });
  const tally = await inThreads(options, threadsOf(options, bytes, surroundings), surroundings, {
    onStart: own => {
      running.tally = own;
    },
    onLine: progress.show,
  }).finally(progress.clear);
  forget();
  if (tally.lines === 0 && (shardOf(options)?.index ?? 1) === 1)
    throw new CliError('no-objects', 'the log is empty', { suggestions: ['pass an audit log'] });
  print(tally, true);
  // A shard may be without calls.
  return shardOf(options) !== undefined && tally.replayed === 0 ? exitCodes.allowed : endOfReplay(tally, surroundings);
}

function reportOf(
  run: ReplayRun,
  options: ReplayOptions,
  { toolVersion, surroundings: { env, stdout } }: { readonly toolVersion: string; readonly surroundings: Surroundings },
): string {
  const palette = terminalPalette(options, { env, stdout });
  return replayReport(run, formatOf(options.output), { palette, toolVersion });
}

function formatOf(name: string | undefined): ReplayFormat {
  return replayFormats.find(format => format === name) ?? 'text';
}

/** Smaller input is done before a thread has started. */
const bytesWorthThreads = 16 * 1024 * 1024;

function threadsOf({ jobs = 'auto' }: ReplayOptions, bytes: number | undefined, { startThread }: Surroundings): number {
  if (jobs !== 'auto') {
    const count = /^\d+$/.test(jobs) ? Number(jobs) : 0;
    if (count < 1 || count > 64) throw invalidFlag('jobs', jobs, 'a number from 1 to 64, or auto');
    if (count > 1 && bytes === undefined)
      throw new CliError('usage', 'several threads cannot read stdin', { suggestions: ['write the log to a file'] });
    return startThread === undefined ? 1 : count;
  }
  return bytes === undefined || bytes < bytesWorthThreads || startThread === undefined ? 1 : Math.min(availableParallelism(), 64);
}

/** Every thread reads the whole input and makes its own part of the calls, so that nothing but the result is copied. */
async function inThreads(
  options: ReplayOptions,
  threads: number,
  surroundings: Surroundings,
  progress: Parameters<typeof replayPart>[3],
): Promise<Tally> {
  const { index, count } = shardOf(options) ?? { index: 1, count: 1 };
  const partOf = (thread: number) => ({ index: index - 1 + thread * count, count: count * threads, threads });
  const started = Array.from({ length: threads - 1 }, (_, i) => startedThread(options, partOf(i + 1), surroundings));
  try {
    const own = await replayPart(options, partOf(0), surroundings, progress);
    const others = await Promise.all(started.map(({ tally }) => tally));
    return others.reduce(mergedTally, own);
  } finally {
    for (const { end } of started) end();
  }
}

function startedThread(
  options: ReplayOptions,
  part: Parameters<typeof replayPart>[1],
  { startThread }: Surroundings,
): { readonly tally: Promise<Tally>; readonly end: () => void } {
  const thread = startThread?.();
  if (thread === undefined) throw new Error('this runtime has no threads');
  const functions: MainFunctions = { fault: async () => undefined, written: async () => 0, since: async () => [], made: async () => {} };
  const { call, fail } = connectThreads<ThreadFunctions>(thread, { ...functions });
  thread.on('error', fail);
  thread.on('exit', exitCode => fail(new Error(`a thread of the replay ended with exit code ${exitCode}`)));
  const tally = call('replay', options, part);
  // It is awaited when this thread's own part is done.
  tally.catch(() => {});
  return { tally, end: () => void thread.terminate() };
}

/** Returns the command that makes one call again: these words with `--only`, without what belongs to the whole run or may be secret. */
function commandOf(words: readonly string[]): (sample: Sample) => string {
  const kept = words.filter((word, i) => !leftOut.has(nameIn(word)) && !(leftOut.has(words[i - 1] ?? '') && !word.startsWith('-')));
  return ({ auditId }) => ['webhook-cli replay', ...kept.map(shellWord), `--only ${shellWord(auditId)}`].join(' ');
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
  readonly show: (bytes: number, tally: Tally) => void;
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
