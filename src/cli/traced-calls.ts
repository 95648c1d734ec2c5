import type { TracedCall } from '../pages/trace-data.js';
import { entryOfCall } from '../pages/trace-data.js';
import { tracePage } from '../pages/trace-page.js';
import type { ReportStream } from '../reports/report-stream.js';
import { callWithoutSecrets } from '../suites/case-without-secrets.js';
import type { Answered } from './calls/print-results.js';
import { bodyOf } from './match/call-body.js';
import { predicatesOf } from './match/explain.js';

/** Calls that are kept for a trace page. */
export interface TracedCalls {
  readonly keep: (answered: Answered) => void;
  /** Returns the page of the calls so far. */
  readonly page: (made: { readonly command: string; readonly toolVersion: string; readonly events?: string }) => string;
}

/** Returns a stream that prints nothing but the page of all calls at the end. */
export function tracedStream(command: string, toolVersion: string): ReportStream<Answered> {
  const calls = tracedCalls();
  return {
    next: answered => {
      calls.keep(answered);
      return '';
    },
    end: () => calls.page({ command, toolVersion }),
  };
}

/** Returns a place for calls, which are kept without their secrets. */
export function tracedCalls(): TracedCalls {
  const calls: TracedCall[] = [];
  return {
    keep: ({ report, planned, state }) => {
      const body = bodyOf(planned.call);
      const text = planned.call.body === undefined ? '' : Buffer.from(planned.call.body).toString('utf8');
      const selections = new Map(report.report.webhooks.map((entry, index) => [index, predicatesOf(entry, state, body)]));
      calls.push({ ...callWithoutSecrets(report, text), selection: (_, index) => selections.get(index) ?? [] });
    },
    page: ({ command, ...made }) => {
      const refused = calls.filter(({ report }) => !report.decision.allowed).length;
      const title = `webhook-cli ${command}: ${calls.length - refused} allowed, ${refused} refused`;
      return tracePage({ ...made, title, entries: calls.map(entryOfCall) });
    },
  };
}
