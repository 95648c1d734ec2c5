import { CliError } from '../../../client/cli-error.js';
import type { StepResult } from '../../../client/run/step-result.js';
import { entryOfCall, type TracedCall, type TracedEntry } from '../../../pages/trace-data.js';
import type { ExitCode } from '../../shell/exit-codes.js';
import { sentenceOf } from '../../shell/print-error.js';
import type { Surroundings } from '../../shell/surroundings.js';
import type { PreparedCalls } from '../calls/prepared-calls.js';
import type { Answered } from '../calls/rendered-results.js';
import { pageOfEntries, printTraced, type TracedPrinting, tracedResult } from '../calls/traced-calls.js';
import { openLivePage } from '../live-page/live-page.js';
import type { Received } from '../live-page/receive-json.js';
import { maxEditable } from '../live-page/served-page.js';
import { type EditablePart, editablePart, shownPart } from './editable-part.js';
import { type EditedCall, editedCallIn } from './edited-call.js';
import type { EditedFrom } from './plan-edited.js';

/** An edited call, planned and made. */
export interface MadeEdited {
  readonly part: EditablePart;
  readonly results: AsyncIterable<StepResult>;
}

/** Plans an edited call. Throws CliError. */
export type MakeEdited = (edited: EditedCall, from: EditedFrom) => Promise<MadeEdited>;

/** The calls of a command, of which each can be edited and made again. */
export interface EditableCalls extends PreparedCalls {
  readonly again: MakeEdited;
}

export type EditablePrinting = TracedPrinting & { readonly again: MakeEdited };

/**
 * Prints results, and then serves the page of their calls, which can be edited and made again there, until the user ends the command. Returns the exit code of the results.
 * Throws CliError.
 */
export async function printEditable(
  results: AsyncIterable<StepResult>,
  { again, ...printing }: EditablePrinting,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { command, sendsNothing, flags } = printing;
  const session = editSession(sendsNothing, again);
  const exitCode = await printTraced(results, { ...printing, flags: { ...flags, open: false }, onTraced: session.keep }, surroundings);
  const toolVersion = flags.toolVersion?.() ?? '';
  const written = (events: string): string =>
    pageOfEntries(session.entries, { command, toolVersion, sendsNothing, events, sendTo: events.replace(/events$/, 'calls') });
  const page = await openLivePage(written, surroundings, session.take);
  surroundings.stderr.write(`edit calls and ${sendsNothing === true ? 'ask' : 'send them'} again there; Ctrl-C ends this command\n`);
  return new Promise(resolve => {
    surroundings.onInterrupt(
      async () => {
        await page.close();
        resolve(exitCode);
      },
      { exitCode },
    );
  });
}

interface EditSession {
  readonly entries: readonly TracedEntry[];
  readonly keep: (answered: Answered, traced: TracedCall) => void;
  readonly take: (value: unknown) => Promise<Received>;
}

function editSession(sendsNothing: boolean | undefined, again: MakeEdited): EditSession {
  const entries: TracedEntry[] = [];
  const editable = new Map<number, EditedFrom>();
  let added = 0;
  const add = (traced: TracedCall, from: EditedFrom | undefined, editOf?: number): number => {
    if (from !== undefined) editable.set(entries.length, from);
    const entry = entryOfCall(traced);
    const facts = editOf === undefined ? entry.facts : `edited from call ${editOf + 1}, ${entry.facts}`;
    entries.push({ ...entry, facts, editOf, ...(from === undefined ? {} : { edit: shownPart(from.part) }) });
    return entries.length - 1;
  };
  const make = async (edited: EditedCall, from: EditedFrom): Promise<Received> => {
    const { part, results } = await again(edited, from);
    for await (const result of results) {
      if (result.outcome === 'unusable') throw result.error;
      if (result.outcome === 'skipped') return { status: 422, body: { error: result.reason } };
      added += 1;
      // It can be edited again, where the first one was made.
      return { status: 201, body: { entry: add(tracedResult(result, sendsNothing), { answered: from.answered, part }, edited.entry) } };
    }
    throw new Error('a plan without a call');
  };
  return {
    entries,
    keep: (answered, traced) => {
      const part = entries.length < maxEditable ? editablePart(answered) : undefined;
      add(traced, part === undefined ? undefined : { answered, part });
    },
    take: async value => {
      const edited = editedCallIn(value);
      if (edited === undefined) return { status: 400, body: { error: 'not a call of this page: load it again' } };
      const from = editable.get(edited.entry);
      if (from === undefined) return { status: 404, body: { error: 'this call cannot be edited' } };
      if (added >= maxEditable) return { status: 429, body: { error: `${maxEditable} calls were made here: start the command again` } };
      try {
        return await make(edited, from);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        const { hideSecretsInError } = await import('../../shell/error-without-secrets.js');
        return { status: 422, body: { error: sentenceOf(await hideSecretsInError(error)).replace(/^error: /, '') } };
      }
    },
  };
}
