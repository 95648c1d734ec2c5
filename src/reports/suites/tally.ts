import type { CaseResult, ObsoleteSnapshot, SnapshotState, TestRun } from '../../suites/results.js';

/** Number of cases per outcome. */
export interface SuiteTally {
  readonly passed: number;
  readonly failed: number;
  /** Cases without a result, and suites that could not run. */
  readonly broken: number;
  readonly skipped: number;
  /** Also counted as passed. */
  readonly flaky: number;
}

/** Counts the outcomes of cases. */
export function tallyOf(cases: readonly CaseResult[]): SuiteTally {
  const count = (outcome: CaseResult['outcome']): number => cases.filter(result => result.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    broken: count('broken'),
    skipped: count('skipped'),
    flaky: cases.filter(({ flaky, outcome }) => flaky && outcome === 'passed').length,
  };
}

/** Counts a whole run; a suite that could not run counts once, regardless of its number of cases. */
export function tallyOfRun({ suites }: TestRun): SuiteTally {
  const tally = tallyOf(suites.flatMap(({ cases }) => cases));
  return { ...tally, broken: tally.broken + suites.filter(({ error }) => error !== undefined).length };
}

/** Number of snapshots per state, and how many were written. */
export function snapshotTally({ suites }: TestRun): Readonly<Record<SnapshotState | 'written', number>> {
  const met = suites.flatMap(({ cases }) => cases.flatMap(({ snapshot }) => snapshot ?? []));
  const count = (state: SnapshotState): number => met.filter(snapshot => snapshot.state === state).length;
  return {
    matched: count('matched'),
    new: count('new'),
    mismatched: count('mismatched'),
    written: met.filter(({ written }) => written).length,
  };
}

/** Obsolete snapshots that fail the run: those that still exist, with `--check`. */
export function obsoleteFailures({ check, obsolete }: TestRun): readonly ObsoleteSnapshot[] {
  return check === true ? obsolete.filter(({ removed }) => !removed) : [];
}

/** `2 passed, 1 failed`: zero counts are omitted. */
export function tallyWords(tally: SuiteTally): string {
  const counts = (['passed', 'failed', 'broken', 'skipped', 'flaky'] as const).flatMap(name =>
    tally[name] === 0 ? [] : [`${tally[name]} ${name}`],
  );
  return counts.length === 0 ? 'no cases' : counts.join(', ');
}

/** `840 ms`, `4.2 s`. */
export function tallyDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
