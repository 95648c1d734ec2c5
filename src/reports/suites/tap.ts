import { writeYaml } from '../../encoding/yaml-writer.js';
import { toValue } from '../../go/value.js';
import type { CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { printable } from '../../writers/printable.js';
import { placeOfFailure, placeOfSuite, placeText } from './places.js';
import { obsoleteFailures } from './tally.js';

/**
 * TAP version 14: a subtest per suite, a test point per case, and failures as YAML. Source: testanything.org/tap-version-14-specification.
 */
export function tapReport(run: TestRun): string {
  const obsolete = obsoleteFailures(run);
  const points = [...run.suites.flatMap(suitePoints), ...(obsolete.length === 0 ? [] : obsoletePoints(obsolete.map(({ file }) => file)))];
  return documentText([...points], run.notes, run.complete);
}

/** A test point with its comments and YAML block. */
interface Point {
  readonly ok: boolean;
  readonly name: string;
  /** Reason for which it was skipped; may be empty. */
  readonly skipped?: string;
  readonly diagnosis?: object;
  /** Indents lines of a subtest. */
  readonly subtest?: readonly string[];
}

function documentText(points: readonly Point[], notes: readonly string[], complete: boolean): string {
  const lines = ['TAP version 14', ...pointLines(points), ...notes.flatMap(comment)];
  // Marks an incomplete run: a harness counts missing test points as failed, which they are not, but the run must not pass.
  return [...lines, ...(complete ? [] : ['Bail out! the run was interrupted'])].map(line => `${line}\n`).join('');
}

function pointLines(points: readonly Point[]): string[] {
  const all = points.flatMap(({ ok, name, skipped, diagnosis, subtest }, i) => [
    ...(subtest === undefined ? [] : [`# Subtest: ${escaped(name)}`, ...subtest.map(line => `    ${line}`)]),
    `${ok ? 'ok' : 'not ok'} ${i + 1} - ${escaped(name)}${skipped === undefined ? '' : ` # SKIP ${escaped(skipped)}`.trimEnd()}`,
    ...(diagnosis === undefined ? [] : diagnosisLines(diagnosis)),
  ]);
  return [`1..${points.length}`, ...all];
}

function suitePoints(suite: SuiteResult): Point[] {
  const { name, error, cases } = suite;
  if (error !== undefined && cases.length === 0)
    return [{ ok: false, name, diagnosis: diagnosisOf([error], { place: placeOfSuite(suite) }) }];
  const own =
    error === undefined ? [] : [{ ok: false, name: error.check, diagnosis: diagnosisOf([error], { place: placeOfSuite(suite) }) }];
  const points = [...own, ...cases.map(casePoint)];
  return [{ ok: points.every(({ ok }) => ok), name, subtest: pointLines(points) }];
}

function casePoint(result: CaseResult): Point {
  const { name, outcome, durationMs, failures, flaky, attempts, notes } = result;
  if (outcome === 'skipped') return { ok: true, name, skipped: notes.join('; ') };
  const times = { duration_ms: Math.round(durationMs), ...(flaky ? { flaky, attempts } : {}) };
  return { ok: outcome === 'passed', name, diagnosis: failures.length === 0 ? times : { ...times, ...diagnosisOf(failures, result) } };
}

function diagnosisOf(failures: readonly TestFailure[], result: Pick<CaseResult, 'place'>): object {
  const [first] = failures;
  return {
    message: first?.message ?? '',
    at: failures.map(failure => placeText(placeOfFailure(failure, result))),
    failures: failures.map(({ check, message, expected, actual, diff }) => ({ check, message, expected, actual, diff })),
  };
}

function obsoletePoints(files: readonly string[]): Point[] {
  const points = files.map(name => ({ ok: false, name, diagnosis: { message: 'no case uses this snapshot' } }));
  return [{ ok: false, name: 'obsolete snapshots', subtest: pointLines(points) }];
}

function diagnosisLines(diagnosis: object): string[] {
  const yaml = writeYaml(toValue(diagnosis)).replace(/\n$/, '').split('\n');
  return ['  ---', ...yaml.map(line => printable(`  ${line}`)), '  ...'];
}

function comment(text: string): string[] {
  return printable(text)
    .split('\n')
    .map(line => `# ${line}`);
}

/** In a description `#` would start a directive, and `\` an escape. */
function escaped(text: string): string {
  return printable(text).replace(/[\\#]/g, '\\$&').replaceAll('\n', ' ');
}
