import { mergedCoverage } from './coverage.js';
import type { CaseResult, ObsoleteSnapshot, SuiteResult, TestRun } from './results.js';
import type { Shard } from './select.js';

/** A run's report and its file. */
export interface ReportedRun {
  readonly file: string;
  readonly run: TestRun;
}

/** `refused`: these are not parts of the same run. */
export type MergedRuns =
  | { readonly outcome: 'merged'; readonly run: TestRun; readonly missing: readonly Shard[] }
  | { readonly outcome: 'refused'; readonly message: string };

/**
 * Merges the shards of one run, or the runs of several folders. Every shard lists all cases, and each case must have been run by at most
 * one of them. With missing shards, the run is incomplete and their cases are skipped. The duration is that of the longest part.
 */
export function mergeRuns(reported: readonly [ReportedRun, ...ReportedRun[]]): MergedRuns {
  const message = shardProblem(reported) ?? twiceRun(reported) ?? unknownCase(reported);
  if (message !== undefined) return { outcome: 'refused', message };
  const runs = reported.map(({ run }) => run);
  const missing = missingShards(runs);
  return { outcome: 'merged', run: mergedRun(runs, missing), missing };
}

function shardProblem([first, ...others]: readonly [ReportedRun, ...ReportedRun[]]): string | undefined {
  const of = ({ file, run }: ReportedRun): string =>
    run.shard === undefined ? `${file} is a whole run` : `${file} is shard ${run.shard.index} of ${run.shard.count}`;
  const other = others.find(({ run }) => run.shard?.count !== first.run.shard?.count);
  if (other !== undefined) return `${of(first)}, and ${of(other)}`;
  const all = [first, ...others];
  for (const [i, reported] of all.entries()) {
    const twin = all.slice(0, i).find(({ run }) => run.shard !== undefined && run.shard.index === reported.run.shard?.index);
    if (twin !== undefined) return `${of(twin)}, and so is ${reported.file}`;
  }
  return undefined;
}

/** Each case must have been run at most once. */
function twiceRun(reported: readonly ReportedRun[]): string | undefined {
  const ranIn = new Map<string, string>();
  for (const { file, run } of reported) {
    for (const suite of run.suites) {
      for (const result of suite.cases.filter(({ outcome }) => outcome !== 'skipped')) {
        const key = caseKey(suite, result);
        const before = ranIn.get(key);
        if (before !== undefined) return `the case ${JSON.stringify(result.name)} of ${suite.file} was run in ${before} and in ${file}`;
        ranIn.set(key, file);
      }
    }
  }
  return undefined;
}

/** Shards must list the same cases; otherwise they belong to different suites. */
function unknownCase([first, ...others]: readonly [ReportedRun, ...ReportedRun[]]): string | undefined {
  if (first.run.shard === undefined) return undefined;
  for (const other of others) {
    const problem = unknownCaseOf(first, other) ?? unknownCaseOf(other, first);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A case of one run that is missing in the other. */
function unknownCaseOf(one: ReportedRun, other: ReportedRun): string | undefined {
  const known = new Set(other.run.suites.flatMap(suite => suite.cases.map(result => caseKey(suite, result))));
  for (const suite of one.run.suites) {
    const strange = suite.cases.find(result => !known.has(caseKey(suite, result)));
    if (strange !== undefined)
      return `${one.file} has a case ${JSON.stringify(strange.name)} of ${suite.file} that ${other.file} does not have`;
  }
  return undefined;
}

function suiteKey({ file, name }: SuiteResult): string {
  return JSON.stringify([file, name]);
}

function caseKey(suite: SuiteResult, { name }: CaseResult): string {
  return JSON.stringify([suite.file, suite.name, name]);
}

/** Shards without a report. */
function missingShards(runs: readonly TestRun[]): Shard[] {
  const count = runs[0]?.shard?.count ?? 0;
  const all = Array.from({ length: count }, (_, i) => ({ index: i + 1, count }));
  return all.filter(({ index }) => !runs.some(({ shard }) => shard?.index === index));
}

function mergedRun(runs: readonly TestRun[], missing: readonly Shard[]): TestRun {
  const seeds = new Set(runs.map(({ seed }) => seed));
  const [seed] = seeds;
  return {
    suites: mergedSuites(runs),
    complete: missing.length === 0 && runs.every(({ complete }) => complete),
    startedAt: runs.map(({ startedAt }) => startedAt).sort()[0] ?? '',
    durationMs: Math.max(...runs.map(({ durationMs }) => durationMs)),
    ...(seed === undefined || seeds.size > 1 ? {} : { seed }),
    ...(runs.some(({ check }) => check === true) ? { check: true } : {}),
    ...(runs.some(({ coverage }) => coverage !== undefined) ? { coverage: mergedCoverage(runs.map(({ coverage = [] }) => coverage)) } : {}),
    obsolete: mergedObsolete(runs.flatMap(({ obsolete }) => obsolete)),
    notes: [
      ...new Set([...runs.flatMap(({ notes }) => notes), ...missing.map(({ index, count }) => `missing shard ${index} of ${count}`)]),
    ],
  };
}

/** Suites in the order of their first occurrence. */
function mergedSuites(runs: readonly TestRun[]): SuiteResult[] {
  const parts = new Map<string, SuiteResult>();
  for (const suite of runs.flatMap(({ suites }) => suites)) {
    const before = parts.get(suiteKey(suite));
    parts.set(suiteKey(suite), before === undefined ? suite : mergedSuite(before, suite));
  }
  return [...parts.values()].map(suite => ({ ...suite, cases: suite.cases.map(withoutElsewhere) }));
}

function mergedSuite(one: SuiteResult, other: SuiteResult): SuiteResult {
  const error = one.error ?? other.error;
  const others = new Map(other.cases.map(result => [result.name, result]));
  const cases = one.cases.map(result => mergedCase(result, others.get(result.name)));
  const known = new Set(one.cases.map(({ name }) => name));
  return {
    ...one,
    cases: [...cases, ...other.cases.filter(({ name }) => !known.has(name))],
    durationMs: one.durationMs + other.durationMs,
    ...(error === undefined ? {} : { error }),
  };
}

/** The result that was run; if neither was, the one of the case's own shard. */
function mergedCase(one: CaseResult, other: CaseResult | undefined): CaseResult {
  if (other === undefined || one.outcome !== 'skipped') return one;
  return other.outcome !== 'skipped' || one.elsewhere === true ? other : one;
}

/** Cases of a missing shard are marked as skipped in no other shard. */
function withoutElsewhere({ elsewhere: _, ...result }: CaseResult): CaseResult {
  return result;
}

function mergedObsolete(found: readonly ObsoleteSnapshot[]): ObsoleteSnapshot[] {
  const byFile = new Map<string, ObsoleteSnapshot>();
  for (const { file, removed } of found) byFile.set(file, { file, removed: removed || byFile.get(file)?.removed === true });
  return [...byFile.values()];
}
