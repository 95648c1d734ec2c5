import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showProgress } from '../../../src/cli/commands/test/progress.js';
import type { CaseResult } from '../../../src/suites/results.js';
import type { Suite } from '../../../src/suites/suite.js';

const suite = { name: 'pods' } as Suite;
const passed = { name: 'a', outcome: 'passed' } as CaseResult;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function shown(isTerminal: boolean, env: Readonly<Record<string, string>> = {}) {
  const written: string[] = [];
  const stderr = { isTerminal, write: (text: string) => written.push(text), flush: async () => {} };
  return { progress: showProgress(2, { stderr, env }), written };
}

describe('progress of a run', () => {
  it('shows on a terminal every second that the webhook is starting, and then the last case', () => {
    const { progress, written } = shown(true);
    vi.advanceTimersByTime(900);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(2100);
    progress.onCase(suite, passed);
    vi.advanceTimersByTime(1000);
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(written.map(text => text.replace('\r\u001b[2K', ''))).toEqual([
      '0/2  starting, 1 s',
      '0/2  starting, 2 s',
      '0/2  starting, 3 s',
      '1/2, 0.25/s  pods > a',
    ]);
  });

  it.each([
    ['a pipe', false, {}],
    ['a terminal in CI', true, { CI: 'true' }],
    ['a terminal without control sequences', true, { TERM: 'dumb' }],
  ])('writes nothing to %s', (_, isTerminal, env) => {
    const { progress, written } = shown(isTerminal, env);
    progress.onCase(suite, passed);
    vi.advanceTimersByTime(60_000);
    progress.clear();
    progress.end();
    expect(written).toEqual([]);
  });
});
