import fc from 'fast-check';
import { Parser, type Result } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import { tapReport } from '../../../src/reports/suites/tap.js';
import type { TestRun } from '../../../src/suites/results.js';
import { eventfulRun, failed, passed, runOf, skipped, snapshotFailure, suiteOf } from './example-run.js';

interface Parsed {
  readonly ok: boolean;
  readonly bailed: unknown;
  /** Test points of the top level, followed by those of their subtests. */
  readonly points: readonly Result[];
  /** Lines that are invalid TAP, or contradict the plan. */
  readonly complaints: readonly unknown[];
}

function parsed(run: TestRun): Parsed {
  const complaints: unknown[] = [];
  const points: Result[] = [];
  let bailed: unknown = false;
  const listen = (parser: Parser): void => {
    parser.on('extra', text => complaints.push(text));
    parser.on('assert', point => points.push(point));
    parser.on('child', listen);
  };
  const parser = new Parser({ strict: true });
  listen(parser);
  parser.on('bailout', reason => {
    bailed = reason;
  });
  parser.end(tapReport(run));
  const failures = parser.results?.failures ?? [];
  complaints.push(...failures.flatMap(failure => ('tapError' in failure && failure.tapError !== null ? [failure.tapError] : [])));
  return { ok: parser.results?.ok ?? false, bailed, points, complaints };
}

describe('the TAP report', { timeout: 60_000 }, () => {
  it('is read by a TAP parser with the same results', () => {
    const { ok, points, complaints } = parsed(runOf([suiteOf([passed('a'), failed('b # TODO', [snapshotFailure]), skipped('c \\ d')])]));
    expect({ ok, complaints }).toEqual({ ok: false, complaints: [] });
    expect(points.map(({ ok: held, name, skip, todo }) => ({ held, name, skip, todo }))).toEqual([
      { held: true, name: 'a', skip: false, todo: false },
      { held: false, name: 'b # TODO', skip: false, todo: false },
      { held: true, name: 'c \\ d', skip: true, todo: false },
      { held: false, name: 'pods', skip: false, todo: false },
    ]);
    expect(points.map(({ time }) => time)).toEqual([3, 3, null, null]);
    expect(points[1]?.diag).toEqual({
      message: snapshotFailure.message,
      at: ['suites/pods.webhook-test.yaml:9:5'],
      failures: [{ check: 'snapshot', message: snapshotFailure.message, diff: snapshotFailure.diff }],
    });
  });

  it('says why a case is skipped', () => {
    const { points } = parsed(runOf([suiteOf([{ ...skipped('a'), notes: ['pods # have no scale'] }])]));
    expect(points[0]).toMatchObject({ ok: true, name: 'a', skip: 'pods # have no scale' });
  });

  it('passes for a passed run, and for one without suites', () => {
    expect(parsed(runOf([suiteOf([passed('a')])]))).toMatchObject({ ok: true, complaints: [] });
    expect(parsed(runOf([]))).toMatchObject({ ok: true, complaints: [] });
  });

  it('fails for suites that could not run and for obsolete snapshots', () => {
    const error = { check: 'exec', message: 'it never came up' };
    expect(parsed(runOf([suiteOf([], { error })]))).toMatchObject({ ok: false, complaints: [] });
    expect(parsed(runOf([suiteOf([skipped('a')], { error })]))).toMatchObject({ ok: false, complaints: [] });
    expect(parsed(runOf([], { check: true, obsolete: [{ file: 'a.yaml', removed: false }] }))).toMatchObject({ ok: false, complaints: [] });
  });

  it('bails out of an interrupted run', () => {
    expect(parsed(eventfulRun).bailed).toBe('the run was interrupted');
  });

  it('is valid TAP for every text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('Bail out!\nok 1', '...\n---', '# SKIP', '1..0 # SKIP')),
        text => {
          const check = { check: 'message', message: text, expected: text, diff: text };
          const { complaints, bailed, ok } = parsed(runOf([suiteOf([failed(text, [check])], { name: text })], { notes: [text] }));
          return complaints.length === 0 && bailed === false && !ok;
        },
      ),
      { numRuns: 40, examples: [['Bail out!\nok 1'], ['\n  ...\n# TODO'], ['pragma -strict']] },
    );
  });
});
