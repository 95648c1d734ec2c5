import { longRunMs, progressLine } from '../../../reports/suites/progress-line.js';
import type { CaseResult } from '../../../suites/results.js';
import type { Suite } from '../../../suites/suite.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { Surroundings } from '../../shell/surroundings.js';

export interface TestProgress {
  readonly onCase: (suite: Suite, result: CaseResult) => void;
  /** Clears the line until the next case ends. */
  readonly clear: () => void;
  /** Stops reporting progress. */
  readonly end: () => void;
}

/** Pause between two updates while no case ends: a first build takes minutes. */
const tickMs = 1000;

/** Shows the progress of a long run in one line of a terminal, and nothing elsewhere. */
export function showProgress(total: number, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): TestProgress {
  if (!stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { onCase: () => {}, clear: () => {}, end: () => {} };
  const columns = Number(env['COLUMNS'] ?? '') || 80;
  let done = 0;
  let failed = 0;
  let last: string | undefined;
  const start = monotonicMs();
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (): void => {
    shownAt = monotonicMs();
    const seconds = (shownAt - start) / 1000;
    const state = last === undefined ? { current: `starting, ${Math.round(seconds)} s` } : { perSecond: done / seconds, current: last };
    stderr.write(`\r\u001b[2K${progressLine({ done, total, failed, ...state }, columns)}`);
  };
  const timer = setInterval(() => monotonicMs() - shownAt < tickMs / 2 || show(), tickMs);
  timer.unref();
  return {
    onCase: (suite, { name, outcome }) => {
      if (outcome === 'skipped') return;
      done += 1;
      if (outcome !== 'passed') failed += 1;
      last = `${suite.name} > ${name}`;
      // Faster updates cannot be read.
      if (monotonicMs() - start >= longRunMs && monotonicMs() - shownAt >= 50) show();
    },
    clear: () => {
      if (shownAt > 0) stderr.write('\r\u001b[2K');
    },
    end: () => clearInterval(timer),
  };
}
