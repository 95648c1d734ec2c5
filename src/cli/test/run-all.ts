import { reportersOfCalls } from '../../reports/suites/reporters.js';
import { caseWithoutSecrets } from '../../suites/case-without-secrets.js';
import { newCoverage } from '../../suites/coverage.js';
import type { CaseResult, SuiteResult, TestRun } from '../../suites/results.js';
import { runSuites, type SuitesRun } from '../../suites/run-suites.js';
import type { SnapshotMode } from '../../suites/snapshots/settle.js';
import type { Suite } from '../../suites/suite.js';
import { monotonicMs } from '../../transport/clock.js';
import { forgetClusters } from '../cluster/opened-clusters.js';
import { seededRandom } from '../effects.js';
import type { Surroundings } from '../surroundings.js';
import type { ReporterChoice } from '../test-reports/choices.js';
import { obsoleteSnapshots, tidySnapshots } from './obsolete.js';
import { openSuite } from './open-suite.js';
import { showProgress } from './progress.js';
import type { Selection } from './selection.js';
import type { TestFlags } from './test-flags.js';
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
  readonly selection: Selection;
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
  const log = flags['webhook-log'] === undefined ? undefined : openWebhookLog(flags['webhook-log'], cwd);
  const progress = showProgress(selectedCount(suites, selection), surroundings);
  const slim = resultsFor(whole.choices);
  const coverage = flags.coverage === true ? newCoverage() : undefined;
  const made = await runSuites(suites, {
    open: suite =>
      openSuite(suite, {
        ...{ flags, given: whole.given, surroundings, observer: coverage?.observer },
        ...(log === undefined ? {} : { onOutput: log.write }),
      }),
    mode,
    retries: flags.retries ?? 0,
    now: () => flags.now ?? surroundings.now(),
    elapsedMs: () => monotonicMs(),
    cwd,
    concurrency: flags.concurrency ?? 8,
    failFast: flags['fail-fast'] ?? false,
    isShard: selection.shard !== undefined,
    isSelected: selection.isSelected,
    random: flags.seed === undefined ? undefined : seededRandom(flags.seed),
    signal,
    onCase: (suite, result) => {
      progress.onCase(suite, result);
      return selection.isElsewhere(suite, result) ? { ...result, elsewhere: true } : slim(result);
    },
    onSuite: suite => {
      progress.clear();
      whole.onSuite(suite);
    },
  });
  progress.clear();
  progress.end();
  log?.close();
  const complete = !signal.aborted && made.crash === undefined;
  const run = {
    suites: made.suites,
    complete,
    startedAt: startedAt.toISOString(),
    durationMs: monotonicMs() - start,
    ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    check: mode === 'check',
    obsolete: await obsoleteSnapshots(whole.known, { cwd, remove: mode === 'update' && complete && allPassed(made) }),
    notes: [],
    ...(coverage === undefined ? {} : { coverage: coverage.rows() }),
  };
  return { run, crash: made.crash };
}

function selectedCount(suites: readonly Suite[], { isSelected }: Selection): number {
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

/** Strips secrets from results, and calls where no report shows them: thousands of cases would fill the memory. */
function resultsFor(choices: readonly ReporterChoice[]): (result: CaseResult) => CaseResult {
  const showsCalls = choices.some(({ name }) => reportersOfCalls.has(name));
  return result => caseWithoutSecrets(showsCalls ? result : { ...result, calls: [], conversion: undefined });
}
