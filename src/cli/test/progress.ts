import { longRunMs, progressLine } from '../../reports/suites/progress-line.js';
import type { CaseResult } from '../../suites/results.js';
import type { Suite } from '../../suites/suite.js';
import { monotonicMs } from '../../transport/clock.js';
import type { Surroundings } from '../surroundings.js';

export interface Progress {
  readonly onCase: (suite: Suite, result: CaseResult) => void;
  /** Clears the line until the next case ends. */
  readonly clear: () => void;
  /** Stops reporting progress. */
  readonly end: () => void;
}

/** CI systems stop jobs that are silent for minutes. */
const heartbeatMs = 10_000;

/** Writes a line with the progress every ten seconds. */
function showHeartbeat(total: number, { stderr }: Pick<Surroundings, 'stderr'>): Progress {
  let done = 0;
  let failed = 0;
  let current = 'starting';
  const write = (): void => stderr.write(`${progressLine({ done, total, failed, current }, lineWidth)}\n`);
  const timer = setInterval(write, heartbeatMs);
  timer.unref();
  return {
    onCase: (suite, { name, outcome }) => {
      if (outcome === 'skipped') return;
      done += 1;
      if (outcome !== 'passed') failed += 1;
      current = `last: ${suite.name} > ${name}`;
    },
    clear: () => {},
    end: () => clearInterval(timer),
  };
}

const lineWidth = 200;

/** Shows the progress of a long run in one line of a terminal, and in a line every ten seconds elsewhere. */
export function showProgress(total: number, { stderr, env }: Pick<Surroundings, 'stderr' | 'env'>): Progress {
  if (!stderr.isTerminal || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return showHeartbeat(total, { stderr });
  const columns = Number(env['COLUMNS'] ?? '') || 80;
  let done = 0;
  let failed = 0;
  const start = monotonicMs();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    onCase: (suite, { name, outcome }) => {
      if (outcome === 'skipped') return;
      done += 1;
      if (outcome !== 'passed') failed += 1;
      const elapsedMs = monotonicMs() - start;
      // Faster updates cannot be read.
      if (elapsedMs < longRunMs || monotonicMs() - shownAt < 50) return;
      shownAt = monotonicMs();
      const perSecond = done / (elapsedMs / 1000);
      stderr.write(`\r\u001b[2K${progressLine({ done, total, failed, perSecond, current: `${suite.name} > ${name}` }, columns)}`);
    },
    clear: () => {
      if (shownAt > 0) stderr.write('\r\u001b[2K');
    },
    end: () => {},
  };
}
