import { counted } from '../../../kubernetes/counted.js';
import { entryOfCase } from '../../../pages/case-entry.js';
import type { TracedEntry } from '../../../pages/trace-data.js';
import { tracePage } from '../../../pages/trace-page.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { openLivePage } from '../../work/live-page/live-page.js';
import type { MadeCase } from './shown-calls.js';

/** The page of `--open`: the calls of the last round of every case. */
export interface LiveRounds {
  readonly keep: (made: MadeCase) => void;
  /** Shows what was kept. */
  readonly show: () => void;
  close(): Promise<void>;
}

const noCases = 'No case has run yet: the page shows the first round when it is over.';

/** Serves the page and opens it in the browser. */
export async function openLiveRounds(toolVersion: string, surroundings: Surroundings): Promise<LiveRounds> {
  const entries = new Map<string, TracedEntry>();
  const written = (events: string): string =>
    tracePage({ title: 'webhook-cli dev', toolVersion, whenEmpty: noCases, entries: [...entries.values()], events });
  const page = await openLivePage(written, surroundings);
  return {
    keep: made => entries.set(`${made.suite.file} > ${made.suiteCase.name}`, entryOf(made)),
    show: page.update,
    close: page.close,
  };
}

function entryOf({ suite, suiteCase, output, failures, isJudged }: MadeCase): TracedEntry {
  const isRefused = output.calls.some(({ report }) => !report.decision.allowed);
  const outcome = failures.length > 0 ? 'failed' : isJudged ? 'passed' : isRefused ? 'refused' : 'allowed';
  const facts = counted(output.calls.length, 'call');
  return {
    ...entryOfCase({ calls: output.calls, failures, suite: suite.name, name: suiteCase.name, outcome: 'passed', facts, notes: [] }),
    outcome,
  };
}
