import { describe, expect, it } from 'vitest';
import { mergeRuns, type ReportedRun } from '../../src/suites/merge-runs.js';
import type { CaseResult, TestRun } from '../../src/suites/results.js';
import { failed, messageFailure, passed, runOf, skipped, suiteOf } from '../reports/suites/example-run.js';

const elsewhere = (name: string): CaseResult => ({ ...skipped(name), elsewhere: true });

function shard(index: number, count: number, cases: readonly CaseResult[], extra: Partial<TestRun> = {}): ReportedRun {
  return { file: `${index}.json`, run: runOf([suiteOf(cases, { durationMs: 100 })], { shard: { index, count }, ...extra }) };
}

const first = shard(1, 2, [passed('a'), elsewhere('b'), elsewhere('c'), skipped('d')], {
  durationMs: 10,
  startedAt: '2026-11-21T00:00:02Z',
});
const second = shard(2, 2, [elsewhere('a'), failed('b'), passed('c'), elsewhere('d')], {
  durationMs: 20,
  startedAt: '2026-11-21T00:00:01Z',
});

function merged(...reported: readonly [ReportedRun, ...ReportedRun[]]): Extract<ReturnType<typeof mergeRuns>, { outcome: 'merged' }> {
  const result = mergeRuns(reported);
  if (result.outcome === 'refused') throw new Error(result.message);
  return result;
}

describe('the shards of a run', () => {
  it.each([
    ['in order', [first, second]],
    ['the other way round', [second, first]],
  ] as const)('are merged %s into the run without shards', (_, [one, other]) => {
    const { run, missing } = merged(one, other);
    const whole = suiteOf([passed('a'), failed('b'), passed('c'), skipped('d')], { durationMs: 200 });
    expect(missing).toEqual([]);
    expect(run).toEqual(runOf([whole], { durationMs: 20, startedAt: '2026-11-21T00:00:01Z' }));
  });

  it('reports missing shards, and skips their cases', () => {
    const { run, missing } = merged(shard(2, 3, [elsewhere('a'), passed('b')]));
    expect(missing).toEqual([
      { index: 1, count: 3 },
      { index: 3, count: 3 },
    ]);
    expect(run).toMatchObject({ complete: false, notes: ['missing shard 1 of 3', 'missing shard 3 of 3'] });
    expect(run.suites[0]?.cases).toEqual([skipped('a'), passed('b')]);
    expect(run.shard).toBeUndefined();
  });

  it('preserve reasons for failure: an interruption, a suite that could not run, obsolete snapshots', () => {
    const error = messageFailure;
    const broken: ReportedRun = {
      file: '2.json',
      run: runOf([suiteOf([elsewhere('a'), skipped('b')], { error })], { shard: { index: 2, count: 2 }, complete: false }),
    };
    const obsolete = { obsolete: [{ file: 'x', removed: false }], check: true, notes: ['n'] };
    const { run } = merged(shard(1, 2, [passed('a'), elsewhere('b')], obsolete), broken);
    expect(run).toMatchObject({ complete: false, ...obsolete, suites: [{ error }] });
  });

  it('keep their common seed', () => {
    const seeded = (index: number, seed: number): ReportedRun => shard(index, 2, [], { seed });
    expect(merged(seeded(1, 7), seeded(2, 7)).run.seed).toBe(7);
    expect(merged(seeded(1, 7), seeded(2, 8)).run.seed).toBeUndefined();
  });
});

describe('runs of different folders', () => {
  it('are merged as separate suites', () => {
    const other = { file: 'other.json', run: runOf([suiteOf([passed('a')], { file: 'other' })]) };
    const { run } = merged({ file: 'one.json', run: runOf([suiteOf([passed('a')])]) }, other);
    expect(run.suites.map(({ file, cases }) => [file, cases.length])).toEqual([
      ['suites/pods.webhook-test.yaml', 1],
      ['other', 1],
    ]);
  });
});

describe('reports that are not the shards of one run', () => {
  const whole: ReportedRun = { file: 'whole.json', run: runOf([suiteOf([passed('a')])]) };

  it.each<[string, readonly [ReportedRun, ...ReportedRun[]], string]>([
    ['twice the same part', [first, { ...first, file: 'again.json' }], '1.json is shard 1 of 2, and so is again.json'],
    ['different counts', [first, shard(3, 3, [])], '1.json is shard 1 of 2, and 3.json is shard 3 of 3'],
    ['a part and a whole', [first, whole], '1.json is shard 1 of 2, and whole.json is a whole run'],
    [
      'a case that was run twice',
      [whole, { ...whole, file: 'b.json' }],
      'the case "a" of suites/pods.webhook-test.yaml was run in whole.json and in b.json',
    ],
    [
      'other suites',
      [first, shard(2, 2, [elsewhere('a'), passed('b'), passed('c'), elsewhere('d'), passed('e')])],
      '2.json has a case "e" of suites/pods.webhook-test.yaml that 1.json does not have',
    ],
  ])('are refused: %s', (_, reported, message) => {
    expect(mergeRuns(reported)).toEqual({ outcome: 'refused', message });
  });
});
