import type { FuzzProgress } from '../../../fuzz/run/run-state.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { Surroundings } from '../../shell/surroundings.js';

/** Faster updates cannot be read. */
const intervalMs = 200;

/** Shows how far a run is in one line of a terminal; does nothing elsewhere. */
export function fuzzProgress({ stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): {
  readonly show: (progress: FuzzProgress) => void;
  readonly clear: () => void;
} {
  if (!stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  const started = monotonicMs();
  let shownAt = started;
  return {
    show: ({ calls, resources, operations, fields, findings }) => {
      const now = monotonicMs();
      if (now - shownAt < intervalMs) return;
      shownAt = now;
      const rate = Math.round(calls / ((now - started) / 1000));
      const coverage = `${resources} resources x ${operations} operations, ${fields} fields`;
      stderr.write(`\r\u001b[2K${calls} calls (${rate}/s), ${coverage}, ${findings} findings`);
    },
    clear: () => stderr.write('\r\u001b[2K'),
  };
}
