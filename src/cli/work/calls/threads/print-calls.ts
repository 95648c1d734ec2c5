import { CliError } from '../../../../client/cli-error.js';
import { builtPathIn } from '../../../../client/manifests/input-path.js';
import { casesWorthThreads, threadCount } from '../../../options/jobs.js';
import type { ExitCode } from '../../../shell/exit-codes.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { yieldInOrder } from '../../../threads/in-order.js';
import { startWorker, type Worker } from '../../../threads/start-worker.js';
import { choosesCluster } from '../../cluster/cluster-flags.js';
import { resultOfCopy } from '../copied-result.js';
import type { Planning } from '../planning.js';
import type { PreparedCalls } from '../prepared-calls.js';
import { printRendered, printResults, yieldFinalResults } from '../print-results.js';
import { type RenderedResult, renderResults } from '../rendered-results.js';
import { recorded, type SharedCalls, type ThreadedCommand, type ThreadedFlags, takenCalls } from '../shared-calls.js';
import type { CallsJob, CallsMain } from './call-part.js';

export interface CallsToPrint extends ThreadedCommand {
  readonly flags: ThreadedFlags & { readonly toolVersion?: unknown };
  readonly prepared: PreparedCalls;
  /** What planning read. */
  readonly planning: () => Planning;
}

/** Makes prepared calls, in several threads if that pays and they are independent, and prints their results in order. */
export function printCalls({ command, flags, prepared, planning }: CallsToPrint, surroundings: Surroundings): Promise<ExitCode> {
  const { total, rendering, results } = prepared;
  const count = threadsOf(flags, prepared, surroundings);
  const { startThread } = surroundings;
  if (count === 1 || startThread === undefined) return printResults(results(), { ...rendering, total }, surroundings);
  const { isTerminal, columns } = surroundings.stdout;
  const shared: SharedCalls = {
    ...{ command, total, flags: { ...flags, toolVersion: undefined } as ThreadedFlags },
    ...planning(),
    next: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    terminal: { isTerminal, columns },
  };
  const made = makeInThreads(shared, prepared, made =>
    Array.from({ length: count - 1 }, () => startWorker<CallsJob>('calls', startThread, { made } satisfies CallsMain)),
  );
  return printRendered(yieldFinalResults(made), { ...rendering, total }, surroundings);
}

/** Returns the number of threads, and says why it is one although more were asked for. */
function threadsOf(flags: ThreadedFlags, { total, whyOneThread: own }: PreparedCalls, { stderr, startThread }: Surroundings): number {
  const { jobs = 'auto' } = flags;
  if (startThread === undefined || jobs === 1 || total < 2) return 1;
  if (jobs === 'auto' && total < casesWorthThreads) return 1;
  const reason = own ?? whyCallsInOneThread(flags);
  if (reason === undefined) return threadCount(jobs);
  if (jobs !== 'auto') stderr.write(`note: one thread makes the calls: ${reason}\n`);
  return 1;
}

function whyCallsInOneThread(flags: ThreadedFlags): string | undefined {
  if (choosesCluster(flags)) return 'they share one connection to a cluster';
  if (flags.independent !== true) return 'each sees what earlier ones wrote, unless you pass --independent';
  const paths = [...(flags.filename ?? []), ...(flags.state ?? [])];
  return paths.some(path => builtPathIn(path) !== undefined) ? 'a kustomization or a chart is built once' : undefined;
}

/** Makes the calls here and in other threads, and returns their results in order. */
function makeInThreads(
  shared: SharedCalls,
  { results, rendering }: PreparedCalls,
  startWorkers: (made: CallsMain['made']) => readonly Worker<CallsJob>[],
): AsyncGenerator<RenderedResult> {
  return yieldInOrder({
    total: shared.total,
    startWorkers: arrive =>
      startWorkers(async made => {
        for (const [number, result] of made) arrive(number, resultOfCopy(result));
      }),
    async *own() {
      const numbers: number[] = [];
      for await (const result of renderResults(results(recorded(takenCalls(shared), numbers)), rendering))
        yield [numbers.shift() ?? -1, result] as const;
    },
    askFor: async call => {
      if (await call('make', shared)) return;
      throw new CliError('unreadable-file', 'the input changed while it was read', { suggestions: ['run the command again'] });
    },
  });
}
