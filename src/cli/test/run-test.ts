import type { CaseResult, TestRun } from '../../suites/results.js';
import { runSuites, type SuitesRun } from '../../suites/run-suites.js';
import type { SnapshotMode } from '../../suites/snapshots/settle.js';
import type { Suite } from '../../suites/suite.js';
import { CliError } from '../cli-error.js';
import { seededRandom } from '../effects.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { type ReporterChoice, reporterChoices } from '../test-reports/choices.js';
import { writeReports } from '../test-reports/write-reports.js';
import { exitCodeOfRun } from './exit-code.js';
import { failedInLastRun, rememberRun } from './last-run.js';
import { loadSuites } from './load-suites.js';
import { obsoleteSnapshots, tidySnapshots } from './obsolete.js';
import { openSuite } from './open-suite.js';
import { showProgress } from './progress.js';
import { type Selection, selectionOf } from './selection.js';
import type { TestFlags } from './test-flags.js';

export interface TestCommand {
  /** What to test; the working folder when there is nothing. */
  readonly paths: readonly string[];
  readonly flags: TestFlags;
  /** The flags on the command line. */
  readonly given: ReadonlySet<string>;
  /** The version of this tool. */
  readonly toolVersion: string;
}

/** Runs the suites that paths name, reports, and answers the exit code. Throws CliError for what keeps it from running at all. */
export async function runTest(command: TestCommand, surroundings: Surroundings): Promise<ExitCode> {
  const { flags } = command;
  const mode = modeOf(flags, surroundings.env);
  const choices = reporterChoices(flags.reporter, surroundings.cwd);
  const suites = await loadSuites(command.paths.length === 0 ? ['.'] : command.paths, surroundings);
  refuseOnly(suites, mode);
  const known = await failedInLastRun(surroundings);
  const selection = selectionOf(flags, suites, flags['last-failed'] === true ? (known ?? new Set()) : undefined);
  if (!hasCases(suites, selection)) return nothingToRun(flags, surroundings);
  const { run, crash } = await interruptible(surroundings, async signal => {
    const made = await runAll({ ...command, suites, selection, mode, choices, signal }, surroundings);
    await writeReports(made.run, { choices, toolVersion: command.toolVersion, surroundings, noColor: flags['no-color'] ?? false });
    return made;
  });
  await rememberRun(run, known, surroundings);
  if (crash !== undefined) throw crash;
  return exitCodeOfRun(run);
}

function modeOf({ check, update }: TestFlags, env: Surroundings['env']): SnapshotMode {
  if (check === true && update === true) throw new CliError('usage', '--check and --update contradict each other');
  if (update === true) return 'update';
  const isContinuousIntegration = !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
  return check === true || isContinuousIntegration ? 'check' : 'review';
}

/** What somebody worked on alone must not hide everything else from the others. */
function refuseOnly(suites: readonly Suite[], mode: SnapshotMode): void {
  const found = mode === 'check' ? suites.flatMap(({ cases }) => cases).find(({ only }) => only) : undefined;
  if (found === undefined) return;
  throw new CliError('invalid-configuration', `the case ${JSON.stringify(found.name)} says only, so that no other case would run`, {
    location: found.place,
    suggestions: ['take it out'],
  });
}

/** Whether there is anything to run, here or in another part: a part may be empty, and reports that it is. */
function hasCases(suites: readonly Suite[], { isWanted }: Selection): boolean {
  return suites.some(suite => suite.cases.some(suiteCase => suiteCase.skip === undefined && isWanted(suite, suiteCase)));
}

/** Nothing may be left of what failed last time; anything else is a mistake. */
function nothingToRun(flags: TestFlags, { stderr }: Surroundings): ExitCode {
  if (flags['last-failed'] === true && flags.run === undefined) {
    stderr.write('no case failed in the last run in this folder\n');
    return exitCodes.allowed;
  }
  const why = flags.run === undefined ? 'every case is skipped' : `no case is called like ${JSON.stringify(flags.run)}`;
  throw new CliError('no-objects', `no tests ran: ${why}`);
}

interface WholeRun extends TestCommand {
  readonly suites: readonly Suite[];
  readonly selection: Selection;
  readonly mode: SnapshotMode;
  readonly choices: readonly ReporterChoice[];
  readonly signal: AbortSignal;
}

async function runAll(whole: WholeRun, surroundings: Surroundings): Promise<{ readonly run: TestRun; readonly crash: unknown }> {
  const { flags, suites, selection, mode, signal } = whole;
  const { cwd } = surroundings;
  const startedAt = surroundings.now();
  const start = performance.now();
  if (mode !== 'check') await tidySnapshots(suites, cwd);
  const progress = showProgress(selectedCount(suites, selection), surroundings);
  const slim = resultsFor(whole.choices);
  const made = await runSuites(suites, {
    open: suite => openSuite(suite, { flags, given: whole.given, surroundings }),
    mode,
    retries: flags.retries ?? 0,
    now: () => flags.now ?? surroundings.now(),
    elapsedMs: () => performance.now(),
    cwd,
    concurrency: flags.concurrency ?? 8,
    failFast: flags['fail-fast'] ?? false,
    isSelected: selection.isSelected,
    random: flags.seed === undefined ? undefined : seededRandom(flags.seed),
    signal,
    onCase: (suite, result) => {
      progress.onCase(suite, result);
      return selection.isElsewhere(suite, result) ? { ...result, elsewhere: true } : slim(result);
    },
  });
  progress.end();
  const complete = !signal.aborted && made.crash === undefined;
  const run = {
    suites: made.suites,
    complete,
    startedAt: startedAt.toISOString(),
    durationMs: performance.now() - start,
    ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    check: mode === 'check',
    obsolete: await obsoleteSnapshots(suites, { cwd, remove: mode === 'update' && complete && allPassed(made) }),
    notes: [],
  };
  return { run, crash: made.crash };
}

function selectedCount(suites: readonly Suite[], { isSelected }: Selection): number {
  return suites.reduce(
    (sum, suite) => sum + suite.cases.filter(suiteCase => suiteCase.skip === undefined && isSelected(suite, suiteCase)).length,
    0,
  );
}

/** A run that failed removes nothing. */
function allPassed({ suites }: SuitesRun): boolean {
  return suites.every(
    ({ error, cases }) => error === undefined && cases.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped'),
  );
}

/** Reports that show requests and answers need them; for the others the calls of thousands of cases would only fill the memory. */
function resultsFor(choices: readonly ReporterChoice[]): (result: CaseResult) => CaseResult {
  const showsCalls = choices.some(({ name }) => !['default', 'junit', 'tap', 'sarif', 'github', 'markdown'].includes(name));
  return showsCalls ? result => result : result => ({ ...result, calls: [] });
}

/** Runs something that a user's interruption ends early, and waits for what it has left to do. */
async function interruptible<T>({ onInterrupt }: Surroundings, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const running = run(controller.signal);
  const forget = onInterrupt(async () => {
    controller.abort();
    await running;
  });
  try {
    return await running;
  } finally {
    forget();
  }
}
