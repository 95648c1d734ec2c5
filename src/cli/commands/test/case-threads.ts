import type { CoverageRow } from '../../../suites/coverage.js';
import type { RunCase } from '../../../suites/run/ran-case.js';
import { type OpenSuite, placesOf } from '../../../suites/run/run-suites.js';
import type { Suite } from '../../../suites/suite.js';
import { casesWorthThreads } from '../../options/jobs.js';
import type { SuiteFlags, TestFlags } from '../../options/test-flags.js';
import type { Surroundings, Thread } from '../../shell/surroundings.js';
import { startWorker, type Worker } from '../../threads/start-worker.js';
import { choosesCluster } from '../../work/cluster/cluster-flags.js';
import type { OpenedSuite } from '../../work/suites/open-suite.js';
import type { StartedProcess } from '../../work/suites/suite-process.js';
import { optionsIn, pathsIn } from '../../work/suites/watch-tests.js';
import type { CasesJob, CasesMain, SuiteForThread, ThreadOptions } from './cases-job-types.js';

/** Threads that run cases beside the main thread. */
export interface CaseThreads {
  /** Opens an open suite in the threads, too, if it has enough cases. */
  readonly open: (suite: Suite, opened: OpenedSuite, selected: Selected) => OpenSuite;
  /** Coverage of the cases that they ran, per suite and thread. */
  readonly coverage: readonly (readonly CoverageRow[])[];
  /** Ends them, in the middle of cases too. */
  readonly end: () => void;
}

/** The cases of a suite that run. */
interface Selected {
  readonly count: number;
  /** Aborted at the end of the run. */
  readonly signal: AbortSignal;
}

export interface CaseThreadsOptions extends ThreadOptions {
  readonly flags: SuiteFlags & Pick<TestFlags, 'jobs'>;
  /** Number of threads, without the main thread. */
  readonly count: number;
  /** Number of concurrent cases. A suite with as few cases is run by the main thread, because a thread takes longer to start than a case. */
  readonly concurrency: number;
}

/** Prepares threads, which start with the first suite that they run. */
export function caseThreads(
  { count, concurrency, ...options }: CaseThreadsOptions,
  startThread: () => Thread,
  { stderr }: Pick<Surroundings, 'stderr'>,
): CaseThreads {
  const coverage: (readonly CoverageRow[])[] = [];
  const isChosen = typeof options.flags.jobs === 'number';
  let threads: readonly CaseThread[] = [];
  return {
    open: (suite, opened, { count: cases, signal }) => {
      if (cases <= concurrency || (!isChosen && cases < casesWorthThreads)) return opened;
      const reason = whyCasesInOneThread(suite, options.flags);
      if (reason !== undefined) {
        if (!isChosen) return opened;
        stderr.write(`note: one thread runs ${suite.file}: ${reason}\n`);
        return opened;
      }
      if (threads.length === 0) threads = startThreads(count, startThread, signal);
      const shared = { ...options, suite, processFlags: opened.started?.flags };
      return openInThreads(shared, opened, { threads, coverage, concurrency: Math.min(concurrency, cases) });
    },
    coverage,
    end: () => {
      for (const { end } of threads) end();
    },
  };
}

interface CaseThread extends Worker<CasesJob> {
  /** The process of the open suite. */
  process: StartedProcess | undefined;
}

function startThreads(count: number, startThread: () => Thread, signal: AbortSignal): readonly CaseThread[] {
  const threads = Array.from({ length: count }, () => startCaseThread(startThread));
  signal.addEventListener('abort', () => {
    // A thread that has ended runs nothing that could be aborted.
    for (const { call } of threads) call('abort').catch(() => {});
  });
  return threads;
}

function startCaseThread(startThread: () => Thread): CaseThread {
  const functions: CasesMain = {
    fault: async callFailed => started.process?.fault(callFailed),
    written: async () => started.process?.output.written() ?? 0,
    since: async written => started.process?.output.since(written) ?? [],
  };
  const started: CaseThread = { ...startWorker<CasesJob>('cases', startThread, functions), process: undefined };
  return started;
}

interface InThreads {
  readonly threads: readonly CaseThread[];
  readonly coverage: (readonly CoverageRow[])[];
  /** Number of concurrent cases in all threads. */
  readonly concurrency: number;
}

function openInThreads(
  shared: Omit<SuiteForThread, 'places'>,
  opened: OpenedSuite,
  { threads, coverage, concurrency }: InThreads,
): OpenSuite {
  const indexes = new Map(shared.suite.cases.map((suiteCase, i) => [suiteCase, i]));
  const runners = threads.map(async (thread, i): Promise<RunCase | undefined> => {
    thread.process = opened.started;
    const forThread = { ...shared, places: placesOf(i + 1, threads.length + 1, concurrency) };
    // The main thread could open the suite, and runs the cases alone.
    if ((await thread.call('open', forThread)) !== undefined) return undefined;
    return suiteCase => thread.call('run', indexes.get(suiteCase) ?? -1);
  });
  return {
    ...opened,
    threads: runners,
    close: async () => {
      await Promise.allSettled(runners);
      coverage.push(...(await Promise.all(threads.map(({ call }) => call('close')))));
      await opened.close();
    },
  };
}

/** Returns why the cases of a suite cannot run in several threads; undefined if they can. */
export function whyCasesInOneThread(suite: Suite, flags: SuiteFlags): string | undefined {
  if (suite.apiserver !== undefined) return 'the writes of its clients are recorded for one case at a time';
  const calls = [flags, ...optionsIn(suite)];
  if (calls.some(choosesCluster)) return 'its cases share one connection to a cluster';
  if ([suite.webhook, ...calls].some(options => pathsIn(options).includes('-'))) return 'stdin can be read only once';
  return undefined;
}
