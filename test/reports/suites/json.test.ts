import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/go/json/reader.js';
import { isMap, type Value } from '../../../src/go/value.js';
import { readReportDocument as readPart, value } from '../../../src/reports/suites/document-schema.js';
import { jsonReport } from '../../../src/reports/suites/json.js';
import { readTestReport } from '../../../src/reports/suites/read-json.js';
import type { TestRun } from '../../../src/suites/results.js';
import { eventfulRun, failed, passed, runOf, suiteOf } from './example-run.js';

function readBack(document: string): TestRun {
  const read = readTestReport(document);
  if (read.outcome === 'malformed') throw new Error(`${read.line}:${read.column}: ${read.message}`);
  return read.run;
}

/** Lone surrogates cannot be written as UTF-8. */
const written: TestRun = {
  ...eventfulRun,
  suites: eventfulRun.suites.map(suite => ({
    ...suite,
    cases: suite.cases.map(result => ({ ...result, name: result.name.replaceAll('\ud800', '\ufffd') })),
  })),
};

describe('the JSON report', () => {
  it('has the totals in its summary', () => {
    const { apiVersion, kind, summary, complete } = JSON.parse(jsonReport(eventfulRun));
    expect({ apiVersion, kind, summary, complete }).toEqual({
      apiVersion: 'webhook-cli.dev/v1alpha1',
      kind: 'TestReport',
      summary: { passed: 3, failed: 2, broken: 2, skipped: 1, flaky: 1 },
      complete: false,
    });
  });

  it('rounds durations to tenths of milliseconds', () => {
    const run = runOf([suiteOf([passed('a', { durationMs: 155.0582030005753 })])]);
    const document = jsonReport({ ...run, durationMs: 21395.4983 });
    expect([...document.matchAll(/"durationMs": ?([\d.]+)/g)].map(([, ms]) => ms)).toEqual(['21395.5', expect.any(String), '155.1']);
  });

  it('is read back as the same run, with exact numbers, binary bodies and key order', () => {
    const run = readBack(jsonReport(written));
    expect(run).toEqual(written);
    expect(jsonReport(run)).toBe(jsonReport(written));
    const object = run.suites[0]?.cases[0]?.calls[0]?.report.decision.object;
    const spec: Value | undefined = object?.get('spec');
    expect(isMap(spec) ? [...spec] : []).toEqual([
      ['priority', 9007199254740993n],
      ['half', 0.5],
      ['one', 1n],
    ]);
  });

  it('keeps audit annotations that are called as members of objects are', () => {
    const text = jsonReport(written);
    const own = JSON.stringify(JSON.parse(text)).replaceAll(
      '"auditAnnotations":{}',
      '"auditAnnotations":{"__proto__":"a","constructor":"b"}',
    );
    expect(own).toContain('"__proto__"');
    expect(JSON.parse(jsonReport(readBack(own)))).toEqual(JSON.parse(own));
  });

  it('of a later version may have additional members', () => {
    const run = runOf([suiteOf([passed('a')])]);
    expect(readBack(jsonReport(run).replace('"complete"', '"later": {"a": [1]},\n  "complete"'))).toEqual(run);
  });

  it.each([
    ['no JSON', '{"apiVersion": ', 'unexpected end of JSON input', 1, 16],
    ['no object', '[]', 'the document must be an object', 1, 1],
    ['no TestReport', '{"apiVersion": "webhook-cli.dev/v1alpha1", "kind": "Report"}', 'kind is Report, expected TestReport', 1, 1],
    [
      'a document of another version',
      '{"apiVersion": "webhook-cli.dev/v2", "kind": "TestReport"}',
      'apiVersion is webhook-cli.dev/v2, written by another version of webhook-cli',
      1,
      1,
    ],
  ])('is not %s', (_, text, message, line, column) => {
    expect(readTestReport(text)).toEqual({ outcome: 'malformed', message, line, column });
  });

  it.each([
    ['"complete": true', '"complete": "yes"', 'complete must be true or false'],
    ['"attempts":1', '"attempts":null', 'suites[0].cases[0].attempts must be a number'],
    ['"outcome":"failed"', '"outcome":"flaky"', 'suites[0].cases[0].outcome must be one of passed, failed, broken, skipped'],
    ['"check":"message",', '', 'suites[0].cases[0].failures[0].check is missing'],
    ['"obsolete": []', '"obsolete": {}', 'obsolete must be a list'],
  ])('with %s changed to %s reports the position of the error', (from, to, message) => {
    const text = jsonReport(runOf([suiteOf([failed('a')])]));
    expect(text).toContain(from);
    const read = readTestReport(text.replace(from, to));
    expect(read).toMatchObject({ outcome: 'malformed', message });
    expect(read.outcome === 'malformed' && read.line).toBeGreaterThan(1);
  });

  it('has no number that no float64 holds', () => {
    expect(() => readPart(value, readJson('{"a":1e400}'))).toThrow('json: cannot unmarshal number 1e400 into Go value of type float64');
  });
});
