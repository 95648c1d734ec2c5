import { detailedCases } from '../reports/suites/html/detailed-cases.js';
import type { OtherView } from '../reports/suites/html/page.js';
import type { CaseResult, SuiteResult, TestRun } from '../suites/results.js';
import { entryOfCase } from './case-entry.js';
import { tracePageFiles } from './page-files.js';
import { type TracedEntry, traceData, traceJson } from './trace-data.js';

/** Returns the time lines of a run, whose secrets are redacted, for its HTML report; undefined if no steps were measured. */
export function timeLinesOf(run: TestRun, toolVersion: string): OtherView | undefined {
  const isMeasured = run.suites.some(({ cases }) => cases.some(({ calls }) => calls.some(({ report }) => report.timing !== undefined)));
  if (!isMeasured) return undefined;
  const detailed = detailedCases(run);
  const entries = run.suites.flatMap((suite, s) =>
    suite.cases.flatMap((result, c) => (detailed.has(result) ? [entryOf(suite, result, `case-${s + 1}-${c + 1}`)] : [])),
  );
  return { ...tracePageFiles(), json: traceJson(traceData(entries, { title: 'webhook-cli test', toolVersion })) };
}

function entryOf({ name: suite }: SuiteResult, result: CaseResult, anchor: string): TracedEntry {
  const { file, line } = result.place;
  const facts = line === undefined ? file : `${file}:${line}`;
  return { ...entryOfCase({ ...result, suite, facts }), anchor };
}
