import type { CaseResult, SuiteResult, TestFailure, TestRun } from '../../suites/results.js';
import { xmlElement, xmlTextElement } from '../../writers/xml.js';
import { failureText } from './failure-text.js';
import { placeOfSuite, placeText } from './places.js';
import { obsoleteFailures, tallyOf } from './tally.js';

/**
 * JUnit XML. There is no single schema, so this is the common subset of three: Jenkins' older one (which JUnit tests with), that of
 * Jenkins' xunit plugin, and Ant's. Hence no attributes of `testsuites`, one failure per case that contains all of its failures, and empty
 * elements.
 */
export function junitReport(run: TestRun): string {
  const suites = [...run.suites.map((suite, i) => suiteElement(suite, run, i)), ...obsoleteSuite(run)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('testsuites', {}, suites)}\n`;
}

function suiteElement(suite: SuiteResult, run: TestRun, id: number): string {
  const { name, file, cases, error, durationMs } = suite;
  const tally = tallyOf(cases);
  const broken =
    error === undefined ? [] : [testCase({ name, file, durationMs }, [outcomeElement('error', [testFailureText(error, suite)], [error])])];
  return testSuite(run, {
    id,
    name,
    tests: cases.length + broken.length,
    failures: tally.failed,
    errors: tally.broken + broken.length,
    skipped: tally.skipped,
    durationMs,
    cases: [...broken, ...cases.map(result => caseElement(result, file))],
    output: cases.flatMap(outputOf),
  });
}

interface SuiteElement {
  readonly id: number;
  readonly name: string;
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly durationMs: number;
  readonly cases: readonly string[];
  readonly output: readonly string[];
}

function testSuite(run: TestRun, { cases, output, durationMs, ...attributes }: SuiteElement): string {
  const properties = Object.entries({ complete: run.complete, shard: shardText(run), seed: run.seed }).flatMap(([name, value]) =>
    value === undefined ? [] : [xmlElement('property', { name, value: String(value) })],
  );
  const { id, name, ...counts } = attributes;
  // Ant's schema requires a host name, and this one if it is unknown; its times have no zone.
  const own = { name, package: 'webhook-cli', id, timestamp: run.startedAt.slice(0, 19), hostname: 'localhost', ...counts };
  return xmlElement('testsuite', { ...own, time: seconds(durationMs) }, [
    xmlElement('properties', {}, properties),
    ...cases,
    xmlTextElement('system-out', {}, output.join('\n')),
    xmlElement('system-err', {}),
  ]);
}

function shardText({ shard }: TestRun): string | undefined {
  return shard === undefined ? undefined : `${shard.index}/${shard.count}`;
}

function testCase(
  { name, file, durationMs }: { readonly name: string; readonly file: string; readonly durationMs: number },
  outcome: readonly string[],
): string {
  return xmlElement('testcase', { name, classname: file, time: seconds(durationMs) }, outcome);
}

function caseElement(result: CaseResult, file: string): string {
  return testCase({ name: result.name, file, durationMs: result.durationMs }, outcomeOf(result));
}

function outcomeOf(result: CaseResult): string[] {
  const { outcome, failures } = result;
  if (outcome === 'passed') return [];
  if (outcome === 'skipped') return [xmlElement('skipped', {})];
  const texts = failures.map(failure => failureText(failure, result));
  return [outcomeElement(outcome === 'failed' ? 'failure' : 'error', texts, failures)];
}

/** The first failure is the headline; the text has all of them. */
function outcomeElement(element: 'failure' | 'error', texts: readonly string[], failures: readonly TestFailure[]): string {
  const [first] = failures;
  return xmlTextElement(element, { message: first?.message ?? '', type: first?.check ?? 'unknown' }, texts.join('\n\n'));
}

function testFailureText(error: TestFailure, suite: SuiteResult): string {
  return failureText(error, { place: placeOfSuite(suite) });
}

function outputOf({ name, place, flaky, failures, notes }: CaseResult): string[] {
  const first = failures[0]?.message ?? '';
  const said = [...(flaky ? [`flaky: it passed on retry; first ${first}`] : []), ...notes.map(note => `note: ${note}`)];
  return said.map(text => `${placeText(place)}: ${name}: ${text}`);
}

/** Obsolete snapshots fail a run with `--check`: without a case for them the file would show no failure. */
function obsoleteSuite(run: TestRun): string[] {
  const left = obsoleteFailures(run);
  if (left.length === 0) return [];
  const message = 'no case uses this snapshot: webhook-cli snapshot clean removes it';
  const cases = left.map(({ file }) =>
    testCase({ name: file, file, durationMs: 0 }, [xmlTextElement('failure', { message, type: 'obsolete' }, file)]),
  );
  return [
    testSuite(run, {
      id: run.suites.length,
      name: 'obsolete snapshots',
      tests: left.length,
      failures: left.length,
      errors: 0,
      skipped: 0,
      durationMs: 0,
      cases,
      output: [],
    }),
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
