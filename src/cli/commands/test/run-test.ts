import { CliError } from '../../../client/cli-error.js';
import type { KubernetesMinor } from '../../../kubernetes/kubernetes-version.js';
import { acrossVersions } from '../../../suites/across-versions.js';
import type { SnapshotMode } from '../../../suites/snapshots/settle.js';
import type { Suite } from '../../../suites/suite.js';
import type { ReporterChoice } from '../../options/reporter.js';
import type { TestFlags } from '../../options/test-flags.js';
import { refuseUntrustedSuites } from '../../options/trust/found-suites.js';
import { type ExitCode, exitCodes } from '../../shell/exit-codes.js';
import { openReport, reportFile } from '../../shell/open-report.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { exitCodeOfRun } from '../../work/suites/exit-code.js';
import { loadSuites } from '../../work/suites/load-suites.js';
import { watchTests } from '../../work/suites/watch-tests.js';
import { reporterChoices } from '../../work/test-reports/choices.js';
import { startReports } from '../../work/test-reports/write-reports.js';
import { readFailedInLastRun, rememberRun } from './last-run.js';
import { runAll, type TestCommand, type WholeRun } from './run-all.js';
import { type CaseSelection, caseSelectionOf } from './selection.js';
import { threadsAhead } from './threads-ahead.js';

/** Runs the suites of paths, reports, and returns the exit code. Throws CliError when they cannot run. */
export async function runTest(command: TestCommand, surroundings: Surroundings): Promise<ExitCode> {
  const { flags } = command;
  const paths = command.paths.length === 0 ? ['.'] : command.paths;
  const mode = modeOf(flags, surroundings.env);
  const { choices, opened } = await addOpenedReport(reporterChoices(flags.reporter, surroundings.cwd), flags);
  const load = async (onManifests?: (count: number) => void): Promise<Suite[]> => {
    const loaded = await loadSuites(paths, surroundings, onManifests);
    if (command.paths.length === 0) await refuseUntrustedSuites(loaded, surroundings, flags);
    const suites = loaded.flatMap(suite => acrossVersions(suite, versionsFor(suite, flags)));
    refuseOnly(suites, mode);
    return suites;
  };
  const run = (running: SuitesToRun, within = surroundings): Promise<ExitCode> =>
    runAndReport({ ...command, ...running, mode, choices, opened }, within);
  if (flags.watch !== true) {
    const threads = threadsAhead(flags, surroundings);
    try {
      const suites = await load(threads.start);
      return await runInterruptibly(surroundings, signal => run({ suites, known: suites, signal }, threads.surroundings));
    } finally {
      threads.end();
    }
  }
  await runInterruptibly(surroundings, signal => watchTests({ paths, load, run, signal }, surroundings));
  return exitCodes.allowed;
}

/** Several versions on the command line override those of the suite; a single version is the default of its cases. */
function versionsFor({ kubernetesVersions = [] }: Suite, flags: TestFlags): readonly KubernetesMinor[] {
  const given = flags.kubernetesVersions ?? [];
  return given.length > 1 ? given : given.length === 1 ? [] : [...new Set(kubernetesVersions)];
}

interface SuitesToRun {
  readonly suites: readonly Suite[];
  /** All suites. */
  readonly known: readonly Suite[];
  readonly signal: AbortSignal;
}

async function runAndReport(
  command: TestCommand & SuitesToRun & Pick<WholeRun, 'mode'> & OpenedChoices,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { flags, suites, choices } = command;
  const failed = await readFailedInLastRun(surroundings);
  const selection = caseSelectionOf(flags, suites, flags.lastFailed === true ? failed : undefined);
  if (!hasCases(suites, selection)) return nothingToRun(flags, failed !== undefined, surroundings);
  if (flags.lastFailed === true && failed === undefined) {
    surroundings.stderr.write('note: no previous run recorded in this folder: running all cases\n');
  }
  const { toolVersion } = command;
  const withSteps = flags.include === 'steps';
  const reports = startReports({ choices, toolVersion, surroundings, noColor: flags.noColor ?? false, withSteps });
  const { run, crash } = await runAll({ ...command, selection, onSuite: reports.onSuite }, surroundings);
  await reports.end(run);
  if (command.opened !== undefined) await openReport(command.opened, surroundings);
  await rememberRun(run, failed, surroundings);
  if (crash !== undefined) throw crash;
  return exitCodeOfRun(run);
}

function modeOf({ check, update }: TestFlags, env: Surroundings['env']): SnapshotMode {
  if (check === true && update === true) throw new CliError('usage', '--check and --update are mutually exclusive');
  if (update === true) return 'update';
  const isContinuousIntegration = !['', '0', 'false'].includes((env['CI'] ?? '').toLowerCase());
  return check === true || isContinuousIntegration ? 'check' : 'review';
}

/** Throws CliError for `only` in CI, where it would hide all other cases. */
function refuseOnly(suites: readonly Suite[], mode: SnapshotMode): void {
  const found = mode === 'check' ? suites.flatMap(({ cases }) => cases).find(({ only }) => only) : undefined;
  if (found === undefined) return;
  throw new CliError('invalid-configuration', `the case ${JSON.stringify(found.name)} has only: true, which would skip all other cases`, {
    location: found.place,
    suggestions: ['remove it'],
  });
}

/** Reports whether there is a case to run, in this or another shard. A shard may be empty. */
function hasCases(suites: readonly Suite[], { isWanted }: CaseSelection): boolean {
  return suites.some(suite => suite.cases.some(suiteCase => suiteCase.skip === undefined && isWanted(suite, suiteCase)));
}

/** Reports that there is nothing to run: an error, except after --last-failed. */
function nothingToRun(flags: TestFlags, hasRecord: boolean, { stderr }: Surroundings): ExitCode {
  if (hasRecord && flags.lastFailed === true && flags.run === undefined) {
    stderr.write('no case failed in the last run in this folder\n');
    return exitCodes.allowed;
  }
  const why = flags.run === undefined ? 'every case is skipped' : `no case matches ${JSON.stringify(flags.run.text)}`;
  throw new CliError('no-objects', `no tests ran: ${why}`);
}

/** Runs an action that an interruption aborts, and waits for its end. */
async function runInterruptibly<T>({ onInterrupt }: Surroundings, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
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

/** Reports of a run, one of which may be opened in the browser. */
interface OpenedChoices {
  readonly choices: readonly ReporterChoice[];
  /** The file of the HTML report, with `--open`. */
  readonly opened: string | undefined;
}

/** Adds the HTML report of `--open`, unless `--reporter html=FILE` writes it. Throws CliError. */
async function addOpenedReport(choices: readonly ReporterChoice[], { open, watch }: TestFlags): Promise<OpenedChoices> {
  if (open !== true) return { choices, opened: undefined };
  if (watch === true) throw new CliError('usage', '--open and --watch are mutually exclusive');
  const given = choices.find(({ name, file }) => name === 'html' && file !== undefined)?.file;
  const file = given ?? (await reportFile());
  return { choices: given === undefined ? [...choices, { name: 'html', file }] : choices, opened: file };
}
