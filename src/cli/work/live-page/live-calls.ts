import type { Report } from '../../../apiserver/report/report.js';
import { recordExchanges } from '../../../client/run/recorded-exchanges.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import { recordSteps } from '../../../kubernetes/call-steps.js';
import type { Effects } from '../../../kubernetes/effects.js';
import type { CallWebhook } from '../../../kubernetes/webhook-call.js';
import { entryOfCall, type TracedEntry } from '../../../pages/trace-data.js';
import { tracePage } from '../../../pages/trace-page.js';
import { monotonicMs } from '../../../transport/clock.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { tracedCall } from '../calls/traced-calls.js';
import { openLivePage } from './live-page.js';

/** A page of the latest calls, in a browser. */
export interface LiveCalls {
  /** Returns the side effects of one call, whose steps and exchanges are recorded, and a function that adds its report to the page. */
  readonly observe: (callWebhook: CallWebhook, effects: (callWebhook: CallWebhook) => Effects, clock?: () => number) => LiveCall;
  close(): Promise<void>;
}

/** One call on its way to the page. */
export interface LiveCall {
  readonly effects: Effects;
  readonly answered: (report: Report, call: ApiCall, state: ClusterState) => void;
}

export interface LiveAbout {
  readonly command: string;
  readonly toolVersion: string;
  /** What to do to see a call. */
  readonly whenEmpty: string;
}

/** Older calls leave the page. */
const maxCalls = 500;

/** Calls that come close together are shown together, in milliseconds. */
const restMs = 100;

/** Serves the page of a command, the latest call first, and opens it in the browser. */
export async function openLiveCalls(about: LiveAbout, surroundings: Surroundings): Promise<LiveCalls> {
  const entries: TracedEntry[] = [];
  const { command, toolVersion, whenEmpty } = about;
  const written = (events: string): string =>
    tracePage({ title: `webhook-cli ${command}`, toolVersion, whenEmpty, entries: [...entries].reverse(), events });
  const page = await openLivePage(written, surroundings);
  let waiting: NodeJS.Timeout | undefined;
  const show = (): void => {
    waiting = undefined;
    page.update();
  };
  return {
    observe: (callWebhook, effects, clock = monotonicMs) => {
      const recorded = recordExchanges(callWebhook);
      return {
        effects: { ...effects(recorded.callWebhook), steps: recordSteps(clock) },
        answered: (report, call, state) => {
          entries.push(entryOfCall(tracedCall({ report, kubectl: [], exchanges: recorded.exchanges() }, call, state)));
          if (entries.length > maxCalls) entries.shift();
          waiting ??= setTimeout(show, restMs).unref();
        },
      };
    },
    close: () => {
      clearTimeout(waiting);
      return page.close();
    },
  };
}
