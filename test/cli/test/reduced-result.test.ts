import { describe, expect, it } from 'vitest';
import { reducedResult } from '../../../src/cli/commands/test/reduced-result.js';
import type { CaseResult } from '../../../src/suites/results.js';

const passed: CaseResult = {
  ...{ name: 'web', place: { file: 'web.yaml' }, outcome: 'passed', flaky: false, attempts: 1, durationMs: 1 },
  ...{ failures: [], snapshot: undefined, calls: [], notes: [] },
};

describe('the results of thousands of cases', () => {
  it('share their empty lists and equal notes', () => {
    const reduced = reducedResult(false);
    const noted = (...notes: string[]): CaseResult => reduced({ ...passed, notes });
    expect(noted('a', 'b').notes).toBe(noted('a', 'b').notes);
    expect([noted('a', 'b'), noted('a,b'), noted('c')].map(({ notes }) => notes)).toEqual([['a', 'b'], ['a,b'], ['c']]);
    expect(reduced(passed).failures).toBe(noted('c').failures);
  });

  it('keep notes that are all different', () => {
    const reduced = reducedResult(false);
    for (let i = 0; i < 300; i++) expect(reduced({ ...passed, notes: [`note ${i}`] }).notes).toEqual([`note ${i}`]);
  });
});
