import { longRunMs, progressLine } from '../../reports/suites/progress-line.js';
import { monotonicMs } from '../../transport/clock.js';
import type { Surroundings } from '../surroundings.js';

export interface CallProgress {
  readonly show: (done: number, refused: number) => void;
  /** Clears the line before results are written. */
  readonly clear: () => void;
}

const lineWidth = 80;

/** Faster updates cannot be read. */
const intervalMs = 100;

/** Shows how many calls of a long run are done in one line of a terminal; does nothing elsewhere, and for a single call. */
export function callProgress(total: number, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): CallProgress {
  if (total < 2 || !stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  const start = monotonicMs();
  let shownAt = start + longRunMs - intervalMs;
  let isShown = false;
  return {
    show: (done, refused) => {
      if (monotonicMs() - shownAt < intervalMs) return;
      shownAt = monotonicMs();
      isShown = true;
      const perSecond = done / ((shownAt - start) / 1000);
      stderr.write(`\r\u001b[2K${progressLine({ done, total, failed: refused, perSecond, current: 'calls' }, lineWidth)}`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
