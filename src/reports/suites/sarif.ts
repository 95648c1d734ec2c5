import type { SuitePlace } from '../../suites/place.js';
import type { CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { withoutCommands } from '../../writers/printable.js';
import { failureText } from './failure-text.js';
import { placeOfFailure, placeOfSuite } from './places.js';
import type { ReporterOptions } from './suite-reporter.js';
import { obsoleteFailures } from './tally.js';

/** SARIF 2.1.0, for code scanning: a result per failure, with its check as the rule. Source: OASIS SARIF 2.1.0. */
export function sarifReport(run: TestRun, options: ReporterOptions): string {
  const results = [...run.suites.flatMap(suiteResults), ...obsoleteFailures(run).map(({ file }) => obsoleteResult(file))];
  const rules = [...new Set(results.map(({ check }) => check))].sort();
  const driver = { name: 'webhook-cli', version: options.toolVersion, rules: rules.map(id => ({ id })) };
  const invocation = { executionSuccessful: run.complete, startTimeUtc: run.startedAt };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver },
        invocations: [invocation],
        columnKind: 'unicodeCodePoints',
        results: results.map(result => resultDocument(result, rules, options)),
      },
    ],
  };
  return `${withoutCommands(JSON.stringify(log, undefined, 2))}\n`;
}

interface SarifResult {
  readonly check: string;
  readonly level: 'error' | 'warning';
  readonly text: string;
  readonly place: SuitePlace;
  /** Stable fingerprint of a failure across runs. */
  readonly identity: string;
}

function suiteResults(suite: SuiteResult): SarifResult[] {
  const { error, cases, name } = suite;
  const own = error === undefined ? [] : [resultOf(error, { suite: name, name: '', place: placeOfSuite(suite) }, 'error')];
  return [...own, ...cases.flatMap(result => caseResults(result, name))];
}

function caseResults(result: CaseResult, suite: string): SarifResult[] {
  const { outcome, flaky, failures, name, place } = result;
  if (outcome === 'skipped' || (outcome === 'passed' && !flaky)) return [];
  return failures.map(failure => resultOf(failure, { suite, name, place }, outcome === 'passed' ? 'warning' : 'error'));
}

function resultOf(
  failure: TestFailure,
  { suite, name, place }: Pick<CaseResult, 'name' | 'place'> & { readonly suite: string },
  level: SarifResult['level'],
): SarifResult {
  const subject = name === '' ? suite : `${suite}: ${name}`;
  return {
    check: failure.check,
    level,
    text: `${subject}${level === 'warning' ? ' is flaky' : ''}\n${failureText(failure, { place })}`,
    place: placeOfFailure(failure, { place }),
    identity: [suite, name, failure.check].join('\n'),
  };
}

function obsoleteResult(file: string): SarifResult {
  return { check: 'obsolete', level: 'error', text: `no case uses the snapshot ${file}`, place: { file }, identity: file };
}

function resultDocument(
  { check, level, text, place, identity }: SarifResult,
  rules: readonly string[],
  { fileInRepository }: ReporterOptions,
): object {
  const { file, line, column } = place;
  const region = line === undefined ? {} : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  return {
    ruleId: check,
    ruleIndex: rules.indexOf(check),
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(fileInRepository(file)) }, ...region } }],
    partialFingerprints: { 'webhookCliCase/v1': identity },
  };
}

/** A relative URI reference: slashes are kept, other reserved characters are encoded. */
function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}
