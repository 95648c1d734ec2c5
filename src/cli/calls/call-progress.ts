import { monotonicMs } from '../../transport/clock.js';
import type { Surroundings } from '../surroundings.js';

export interface CallProgress {
  readonly show: (done: number) => void;
  /** Clears the line before results are written. */
  readonly clear: () => void;
}

/** Faster updates cannot be read. */
const intervalMs = 100;

/** Shows how many calls are done in one line of a terminal; does nothing elsewhere, and for few calls. */
export function callProgress(total: number, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): CallProgress {
  if (total < 2 || !stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  let shownAt = monotonicMs();
  let isShown = false;
  return {
    show: done => {
      if (monotonicMs() - shownAt < intervalMs) return;
      shownAt = monotonicMs();
      isShown = true;
      stderr.write(`\r\u001b[2K${done} of ${total} calls`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
