import type { CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { workflowCommand } from '../../writers/workflow-command.js';
import { differenceLines } from './failure-text.js';
import { markdownReport } from './markdown.js';
import { placeOfFailure, placeOfSuite } from './places.js';
import type { ReporterOptions } from './suite-reporter.js';
import { obsoleteFailures } from './tally.js';

/** Workflow commands that GitHub shows next to the lines of a pull request, ten at most: an error per failed case, a warning per flaky one. */
export function githubReport(run: TestRun, options: ReporterOptions): string {
  const commands = run.suites.flatMap(suite => suiteCommands(suite, options));
  const obsolete = obsoleteFailures(run).map(({ file }) =>
    workflowCommand('error', { file: options.fileInRepository(file), title: 'obsolete snapshot' }, 'no case uses this snapshot'),
  );
  return [...commands, ...obsolete].join('');
}

/** GitHub's maximum size of a step's summary: a larger one is rejected. */
const summaryBytes = 1024 * 1024;

/** Markdown for the job's summary, up to GitHub's maximum size. */
export function githubSummary(run: TestRun): string {
  return markdownReport(run, { maxBytes: summaryBytes });
}

function suiteCommands(suite: SuiteResult, options: ReporterOptions): string[] {
  const { error, cases, name } = suite;
  const failure = error === undefined ? [] : [command('error', [error], { place: placeOfSuite(suite), name }, options)];
  return [...failure, ...cases.flatMap(result => caseCommands(result, options))];
}

function caseCommands(result: CaseResult, options: ReporterOptions): string[] {
  const { outcome, flaky, failures, name, place } = result;
  const [first] = failures;
  if (first === undefined || outcome === 'skipped' || (outcome === 'passed' && !flaky)) return [];
  const level = outcome === 'passed' ? 'warning' : 'error';
  return [command(level, failures, { place: placeOfFailure(first, { place }), name: flaky ? `${name} is flaky` : name }, options)];
}

function command(
  level: 'error' | 'warning',
  failures: readonly TestFailure[],
  { place, name }: Pick<CaseResult, 'place' | 'name'>,
  { fileInRepository }: ReporterOptions,
): string {
  const { file, line, column } = place;
  const text = failures.flatMap(failure => [`${failure.check}: ${failure.message}`, ...differenceLines(failure)]).join('\n');
  return workflowCommand(level, { file: fileInRepository(file), line, col: column, title: name }, text);
}
