import type { StepResult } from '../../../client/run/step-result.js';
import type { ApiCall, ClusterState } from '../../../kubernetes/api-call.js';
import { counted } from '../../../kubernetes/counted.js';
import { entryOfCall, reachedWords, type TracedCall, type TracedEntry } from '../../../pages/trace-data.js';
import { type TracePage, tracePage } from '../../../pages/trace-page.js';
import { isPage, type ReportFormat } from '../../../reports/report-formats.js';
import { callWithoutSecrets } from '../../../suites/case-without-secrets.js';
import type { CaseCall } from '../../../suites/results.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import { openPage } from '../../shell/open-report.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { bodyOfCall } from './call-body.js';
import { predicatesOf } from './explain.js';
import { type Printing, printResults } from './print-results.js';
import type { Answered } from './rendered-results.js';

/** A run whose calls are shown on a page. */
export interface TracedPrinting extends Printing {
  readonly command: string;
  /** The webhooks are not called. */
  readonly sendsNothing?: boolean | undefined;
  readonly flags: PageFlags;
  /** Called with each call as the page shows it. */
  readonly onTraced?: ((answered: Answered, traced: TracedCall) => void) | undefined;
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
  { command, flags, sendsNothing, onTraced, ...printing }: TracedPrinting,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stream } = printing;
  const calls: TracedCall[] = [];
  const printsPage = isPage(flags.output);
  const page = (): string => pageOfEntries(calls.map(entryOfCall), { command, sendsNothing, toolVersion: flags.toolVersion?.() ?? '' });
  const render: typeof stream.render = answered => {
    const traced = tracedResult(answered, sendsNothing);
    calls.push(traced);
    onTraced?.(answered, traced);
    return printsPage ? { text: '' } : stream.render(answered);
  };
  const next: typeof stream.next = rendered => (printsPage ? '' : stream.next(rendered));
  const end: typeof stream.end = errors => (printsPage ? page() : stream.end(errors));
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

/** Returns the call of a result as its page shows it. */
export function tracedResult({ report, planned, state }: Answered, sendsNothing: boolean | undefined): TracedCall {
  return { ...tracedCall(report, planned.call, state), isUnsent: sendsNothing };
}

/** Returns the page of the calls of a command. */
export function pageOfEntries(
  entries: readonly TracedEntry[],
  { command, ...about }: Omit<TracePage, 'entries' | 'title'> & { readonly command: string },
): string {
  const calls = entries.flatMap(entry => entry.calls);
  const words =
    about.sendsNothing === true
      ? `${counted(calls.length, 'call')}, ${reachedWords(calls.map(({ report }) => report))}`
      : decidedWords(calls);
  return tracePage({ ...about, title: `webhook-cli ${command}: ${words}`, entries });
}

function decidedWords(calls: readonly TracedCall[]): string {
  const refused = calls.filter(({ report }) => !report.decision.allowed).length;
  return `${calls.length - refused} allowed, ${refused} refused`;
}
