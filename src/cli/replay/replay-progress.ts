import type { Tally } from '../../replay/tally.js';
import { monotonicMs } from '../../transport/clock.js';
import type { Surroundings } from '../surroundings.js';

export interface ReplayProgress {
  readonly show: (bytes: number, tally: Tally) => void;
  readonly clear: () => void;
}

const intervalMs = 250;

/** Shows the share of the input that was read, the rate and the remaining time in one line of a terminal; does nothing elsewhere. */
export function replayProgress(totalBytes: number | undefined, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): ReplayProgress {
  if (!stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return { show: () => {}, clear: () => {} };
  const start = monotonicMs();
  let shownAt = start;
  return {
    show: (bytes, { replayed, same }) => {
      const now = monotonicMs();
      if (now - shownAt < intervalMs) return;
      shownAt = now;
      const seconds = (now - start) / 1000;
      const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(bytes / totalBytes, 1);
      const left = share === undefined || share === 0 ? '' : `, ${Math.ceil((seconds / share) * (1 - share))} s left`;
      const read = share === undefined ? '' : `${(100 * share).toFixed(1)} %, `;
      stderr.write(`\r\u001b[2K${read}${replayed} calls, ${Math.round(replayed / seconds)}/s, ${replayed - same} changed${left}`);
    },
    clear: () => {
      if (shownAt > start) stderr.write('\r\u001b[2K');
    },
  };
}
