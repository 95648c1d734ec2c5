import { describe, expect, it } from 'vitest';
import { paletteOf } from '../../../src/reports/palette.js';
import { defaultReport } from '../../../src/reports/suites/default.js';
import { progressLine } from '../../../src/reports/suites/progress-line.js';
import { eventfulRun, failed, messageFailure, passed, plain, runOf, skipped, snapshotFailure, suiteOf } from './example-run.js';

describe('the default report', () => {
  it('has a line per case, failures below it, and the totals at the end', () => {
    const withReason = { ...skipped('e'), notes: ['not today'] };
    const run = runOf([suiteOf([passed('a'), failed('b', [snapshotFailure, messageFailure]), skipped('c'), skipped('d'), withReason])]);
    expect(defaultReport(run, plain)).toBe(
      [
        'pods suites/pods.webhook-test.yaml',
        '  ✓ a  3 ms',
        '  ✗ b  3 ms',
        '    snapshot: object.spec.replicas differs: 1 was stored, 2 came',
        '    suites/pods.webhook-test.yaml:9:5',
        '    --- stored',
        '    +++ produced',
        '    @@ -1,2 +1,2 @@',
        '     kind: Pod',
        '    -replicas: 1',
        '    +replicas: 2',
        '    message: the message differs',
        '    suites/pods.webhook-test.yaml:4:3',
        '    expected',
        '      no "privileged" pods',
        '      at all',
        '    actual   go away',
        '  - e  skipped: not today',
        '  - 2 cases skipped',
        '',
        '1 passed, 1 failed, 3 skipped  (4.2 s)',
        '',
      ].join('\n'),
    );
  });

  it('has a line for all scenarios of a case that are skipped for the same reason', () => {
    const scenario = (name: string, reason: string) => ({ ...skipped(`life [${name}]`), notes: [reason] });
    const [noRule, noScale] = ['no rule matches UPDATE pods', 'pods have no scale'];
    const results = [scenario('update', noRule), scenario('scale', noScale), scenario('update, dry run', noRule), passed('life [create]')];
    expect(
      defaultReport(runOf([suiteOf(results)]), plain)
        .split('\n')
        .slice(1, 4),
    ).toEqual([
      '  ✓ life [create]  3 ms',
      '  - life: 2 scenarios  skipped: no rule matches UPDATE pods',
      '  - life [scale]  skipped: pods have no scale',
    ]);
  });

  it('reports the state of snapshots, and how to resolve them', () => {
    const lines = defaultReport(eventfulRun, plain).split('\n');
    expect(lines.slice(-7)).toEqual([
      'note: the clock stood still',
      'obsolete snapshot left: suites/__snapshots__/gone.yaml',
      'obsolete snapshot removed: suites/__snapshots__/old.yaml',
      'snapshots: 1 matched, 1 new, 1 mismatched, 1 written, 1 obsolete; run without --check to decide on them',
      'the run was interrupted: cases that did not run are skipped',
      '3 passed, 2 failed, 2 broken, 1 skipped, 1 flaky  (4.2 s, shard 1 of 2, seed 7)',
      '',
    ]);
    expect(lines).toContain('  ✓ first of its kind  3 ms, snapshot written');
    expect(lines).toContain('  ✓ shaky  3 ms, flaky: passed on retry (2 attempts)');
    expect(lines).toContain('  exec: it never came up');
  });

  it('prints notes of many passed cases once', () => {
    const notes = ['presumed'];
    const run = runOf([suiteOf([passed('a', { notes }), passed('b', { notes }), failed('c', [messageFailure], { notes })])]);
    const lines = defaultReport(run, plain).split('\n');
    expect(lines.filter(line => line.includes('note: '))).toEqual(['    note: presumed', 'note: presumed (2 cases)']);
  });

  it('escapes control characters and line starts in external texts', () => {
    const text = defaultReport(eventfulRun, plain);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
    expect(text).toContain('✗ evil \\u001b[31m');
    expect(text.split('\n').filter(line => line.startsWith(']]>') || line.startsWith('c'))).toEqual([]);
  });

  it('colors outcomes on a terminal only', () => {
    const colored = defaultReport(eventfulRun, { ...plain, palette: paletteOf(1) });
    expect(colored).toContain('\u001b[32m+replicas: 2\u001b[39m');
    expect(colored).toContain('\u001b[31m-replicas: 1\u001b[39m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(defaultReport(eventfulRun, plain));
  });
});

describe('the progress line on a terminal', () => {
  it('fits into one line', () => {
    expect(progressLine({ done: 3, total: 10, failed: 1, current: 'a\nb' }, 80)).toBe('3/10, 1 failed  a\\nb');
    expect(progressLine({ done: 3, total: 10, failed: 1, perSecond: 12.34, current: 'a' }, 80)).toBe('3/10, 12/s, 1 failed  a');
    expect(progressLine({ done: 3, total: 10, failed: 0, current: 'a long name' }, 10)).toBe('3/10  a l');
  });
});
