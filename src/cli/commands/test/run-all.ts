import { needsOfReporter } from '../../../reports/suites/reporter-names.js';
import { mergedCoverage, newCoverage } from '../../../suites/coverage.js';
import type { SuiteResult, TestRun } from '../../../suites/results.js';
import { runSuites, type SuitesRun } from '../../../suites/run/run-suites.js';
import { pendingAtStart } from '../../../suites/snapshot-folder.js';
import type { SnapshotMode } from '../../../suites/snapshots/settle.js';
import type { Suite } from '../../../suites/suite.js';
import { monotonicMs } from '../../../transport/clock.js';
import { jobsOf } from '../../options/jobs.js';
import type { ReporterChoice } from '../../options/reporter.js';
import type { TestFlags } from '../../options/test-flags.js';
import { seededRandom } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { forgetClusters } from '../../work/cluster/opened-clusters.js';
import { findObsoleteSnapshots, tidySnapshots } from '../../work/suites/obsolete.js';
import { openSuite } from '../../work/suites/open-suite.js';
import type { CaseThreads, CaseThreadsOptions } from './case-threads.js';
import { showProgress } from './progress.js';
import { reducedResult } from './reduced-result.js';
import type { CaseSelection } from './selection.js';
import { openWebhookLog } from './webhook-log.js';

export interface TestCommand {
  /** Paths to test; empty: the working directory. */
  readonly paths: readonly string[];
  readonly flags: TestFlags;
  /** The flags on the command line. */
  readonly given: ReadonlySet<string>;
  /** The version of this tool. */
  readonly toolVersion: string;
}

/** One run of suites. */
export interface WholeRun extends TestCommand {
  readonly suites: readonly Suite[];
  /** All suites: snapshots that none of them uses are obsolete. */
  readonly known: readonly Suite[];
  readonly selection: CaseSelection;
  readonly mode: SnapshotMode;
  readonly choices: readonly ReporterChoice[];
  /** Called for every suite as it ends. */
  readonly onSuite: (result: SuiteResult) => void;
  readonly signal: AbortSignal;
}

/** Runs the selected cases of suites; `crash` is an exception that is a bug. */
export async function runAll(whole: WholeRun, surroundings: Surroundings): Promise<{ readonly run: TestRun; readonly crash: unknown }> {
  const { flags, suites, selection, mode, signal } = whole;
  const { cwd } = surroundings;
  const startedAt = surroundings.now();
  const start = monotonicMs();
  await forgetClusters(surroundings);
  if (mode !== 'check') await tidySnapshots(suites, cwd);
  const log = flags.webhookLog === undefined ? undefined : openWebhookLog(flags.webhookLog, cwd);
  const progress = showProgress(selectedCount(suites, selection), surroundings);
  const showsCalls = whole.choices.some(({ name }) => needsOfReporter(name).showsCalls === true);
  const recordsSteps = flags.include === 'steps' || whole.choices.some(({ name }) => needsOfReporter(name).showsSteps === true);
  const coverage = flags.coverage === true ? newCoverage() : undefined;
  const { retries = 0 } = flags;
  const jobs = jobsIn(flags, suites, selection);
  const concurrency = flags.concurrency ?? concurrencyPerJob * jobs;
  const options = { flags, given: whole.given, mode, retries, showsCalls, recordsSteps, coverage: coverage !== undefined };
  const threads = await startCaseThreads({ ...options, count: Math.min(jobs, concurrency) - 1, concurrency }, surroundings);
  const made = await runSuites(suites, {
    open: async (suite, selected) => {
      const opened = await openSuite(suite, {
        ...{ flags, given: whole.given, surroundings, observer: coverage?.observer, recordsSteps },
        ...(log === undefined ? {} : { onOutput: log.write }),
      });
      return threads?.open(suite, opened, selected) ?? opened;
    },
    mode,
    hasPending: pendingAtStart(),
    retries,
    reduced: reducedResult(showsCalls),
    now: () => flags.now ?? surroundings.now(),
    elapsedMs: () => monotonicMs(),
    cwd,
    concurrency,
    failFast: flags.failFast ?? false,
    isShard: selection.shard !== undefined,
    isSelected: selection.isSelected,
    random: flags.seed === undefined ? undefined : seededRandom(flags.seed),
    signal,
    onCase: (suite, result) => {
      progress.onCase(suite, result);
      return selection.isElsewhere(suite, result) ? { ...result, elsewhere: true } : result;
    },
    onSuite: suite => {
      progress.clear();
      whole.onSuite(suite);
    },
  });
  progress.clear();
  progress.end();
  log?.close();
  threads?.end();
  const complete = !signal.aborted && made.crash === undefined;
  const run = {
    suites: made.suites,
    complete,
    startedAt: startedAt.toISOString(),
    durationMs: monotonicMs() - start,
    ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    check: mode === 'check',
    obsolete: await findObsoleteSnapshots(whole.known, { cwd, remove: mode === 'update' && complete && allPassed(made) }),
    notes: [],
    ...(coverage === undefined ? {} : { coverage: mergedCoverage([coverage.rows(), ...(threads?.coverage ?? [])]) }),
  };
  return { run, crash: made.crash };
}

/** Cases that wait for their webhooks leave time for others. */
const concurrencyPerJob = 8;

function jobsIn({ jobs }: TestFlags, suites: readonly Suite[], selection: CaseSelection): number {
  const cases = suites.map(suite => selectedCount([suite], selection));
  return jobsOf(jobs, cases);
}

async function startCaseThreads(options: CaseThreadsOptions, surroundings: Surroundings): Promise<CaseThreads | undefined> {
  const { startThread } = surroundings;
  if (options.count === 0 || startThread === undefined) return undefined;
  const { caseThreads } = await import('./case-threads.js');
  return caseThreads(options, startThread, surroundings);
}

function selectedCount(suites: readonly Suite[], { isSelected }: CaseSelection): number {
  return suites.reduce(
    (sum, suite) => sum + suite.cases.filter(suiteCase => suiteCase.skip === undefined && isSelected(suite, suiteCase)).length,
    0,
  );
}

/** Reports whether every case passed. A failed run removes nothing. */
function allPassed({ suites }: SuitesRun): boolean {
  return suites.every(
    ({ error, cases }) => error === undefined && cases.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped'),
  );
}
