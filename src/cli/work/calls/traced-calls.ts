import type { StepResult } from '../../../client/run/step-result.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import { counted } from '../../../kubernetes/counted.js';
import type { TracedCall } from '../../../pages/trace-data.js';
import { entryOfCall, reachedWords } from '../../../pages/trace-data.js';
import { tracePage } from '../../../pages/trace-page.js';
import { needsOf, type ReportFormat } from '../../../reports/report-formats.js';
import { callWithoutSecrets } from '../../../suites/case-without-secrets.js';
import type { CaseCall } from '../../../suites/results.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import { openPage } from '../../shell/open-report.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { bodyOfCall } from './call-body.js';
import { predicatesOf } from './explain.js';
import { type Printing, printResults } from './print-results.js';
import type { Answered } from './rendered-results.js';

/** Calls that are kept for a trace page. */
export interface TracedCalls {
  readonly keep: (answered: Answered) => void;
  /** Returns the page of the calls so far. */
  readonly page: (made: { readonly command: string; readonly toolVersion: string }) => string;
}

/** A run whose calls are shown on a page. */
export interface TracedPrinting extends Printing {
  readonly command: string;
  /** The webhooks are not called. */
  readonly sendsNothing?: boolean | undefined;
  readonly flags: PageFlags;
}

export interface PageFlags {
  /** With `html`, the page is printed instead of the stream. */
  readonly output?: ReportFormat | undefined;
  /** Shows the page in the browser. */
  readonly open?: boolean | undefined;
  /** Returns the version of this program. */
  readonly toolVersion?: (() => string) | undefined;
}

/** Prints results, of which the steps are recorded, and shows the page of their calls. Returns the exit code. Throws CliError. */
export async function printTraced(
  results: AsyncIterable<StepResult>,
  { command, flags, sendsNothing, ...printing }: TracedPrinting,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stream } = printing;
  const calls = tracedCalls(sendsNothing);
  const isPage = flags.output !== undefined && needsOf(flags.output).isPage === true;
  const page = (): string => calls.page({ command, toolVersion: flags.toolVersion?.() ?? '' });
  const render: typeof stream.render = answered => {
    calls.keep(answered);
    return isPage ? { text: '' } : stream.render(answered);
  };
  const next: typeof stream.next = rendered => (isPage ? '' : stream.next(rendered));
  const end: typeof stream.end = errors => (isPage ? page() : stream.end(errors));
  const exitCode = await printResults(results, { ...printing, stream: { render, next, end } }, surroundings);
  if (flags.open === true) await openPage(page(), surroundings);
  return exitCode;
}

/** Returns a call without its secrets, with the selection of its webhooks explained in the state before it. */
export function tracedCall(made: CaseCall, call: ApiCall, state: ClusterState): TracedCall {
  const body = bodyOfCall(call);
  const text = call.body === undefined ? '' : Buffer.from(call.body).toString('utf8');
  const selections = new Map(made.report.webhooks.map((entry, index) => [index, predicatesOf(entry, state, body)]));
  return { ...callWithoutSecrets(made, text), selection: (_, index) => selections.get(index) ?? [] };
}

/** Returns a place for calls, which are kept without their secrets. */
function tracedCalls(sendsNothing: boolean | undefined): TracedCalls {
  const calls: TracedCall[] = [];
  return {
    keep: ({ report, planned, state }) => {
      calls.push({ ...tracedCall(report, planned.call, state), isUnsent: sendsNothing });
    },
    page: ({ command, ...made }) => {
      const title = `webhook-cli ${command}: ${sendsNothing === true ? `${counted(calls.length, 'call')}, ${reachedWords(calls.map(({ report }) => report))}` : decidedWords(calls)}`;
      return tracePage({ ...made, title, sendsNothing, entries: calls.map(entryOfCall) });
    },
  };
}

function decidedWords(calls: readonly TracedCall[]): string {
  const refused = calls.filter(({ report }) => !report.decision.allowed).length;
  return `${calls.length - refused} allowed, ${refused} refused`;
}
