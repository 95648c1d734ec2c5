import type { TraceCall, TraceData, TraceEntry, TraceOutcome } from '../../src/pages/trace-model.js';

/** What is chosen: a link names it. Numbers count from 0. */
export interface Place {
  readonly entry: number;
  readonly call: number;
  readonly step: number | undefined;
}

/** Failures first. */
const ranks: Readonly<Record<TraceOutcome, number>> = { broken: 0, failed: 0, refused: 1, skipped: 3, allowed: 2, passed: 2 };

/** Returns the numbers of the entries in the order in which they are listed. */
export function listed({ entries }: TraceData): number[] {
  return entries.map((_, index) => index).sort((a, b) => rankOf(entries[a]) - rankOf(entries[b]) || a - b);
}

function rankOf(entry: TraceEntry | undefined): number {
  return entry === undefined ? 0 : ranks[entry.outcome];
}

/** Returns the fragment of a place: `#call-3`, `#call-3.2/step-7`. */
export function fragmentOf({ entry, call, step }: Place): string {
  return `#call-${entry + 1}${call === 0 ? '' : `.${call + 1}`}${step === undefined ? '' : `/step-${step + 1}`}`;
}

/** Returns the place that a fragment names; undefined if there is none. */
export function placeIn(fragment: string, { entries }: TraceData): Place | undefined {
  const [, entry = '', call = '1', step] = /^#call-(\d+)(?:\.(\d+))?(?:\/step-(\d+))?$/.exec(fragment) ?? [];
  const found = entries[Number(entry) - 1];
  if (found === undefined) return undefined;
  const made = found.calls[Number(call) - 1];
  const isStep = step !== undefined && made?.steps[Number(step) - 1] !== undefined;
  return { entry: Number(entry) - 1, call: made === undefined ? 0 : Number(call) - 1, step: isStep ? Number(step) - 1 : undefined };
}

/**
 * Returns the step that a call shows first: the one that refused it, else the first webhook, else the last step. None where nothing was sent, and where no
 * webhook was called: that page starts with the reasons.
 */
export function firstStep({ steps, webhooks }: TraceCall, { sendsNothing }: Pick<TraceData, 'sendsNothing'>): number | undefined {
  if (sendsNothing === true) return undefined;
  const denied = steps.findIndex(step => isRefusing(webhooks[step.webhook ?? -1]?.outcome));
  const refusing = denied >= 0 ? denied : steps.findIndex(({ error }) => error !== undefined);
  const called = steps.findIndex(({ kind }) => kind === 'webhook');
  const isAllSkipped = called < 0 && webhooks.length > 0;
  return [refusing, called, isAllSkipped ? -1 : steps.length - 1].find(index => index >= 0);
}

/** Returns the outcome of an entry as it is shown: of a call that was not sent, only that it is refused is known. */
export function shownOutcome({ outcome }: TraceEntry, { sendsNothing }: Pick<TraceData, 'sendsNothing'>): string {
  return sendsNothing === true && outcome === 'allowed' ? '' : outcome;
}

/** Whether the outcome of a webhook may refuse a call. */
export function isRefusing(outcome: string | undefined): boolean {
  return outcome === 'denied' || outcome === 'callFailed' || outcome === 'internalError';
}

/** Returns why an entry failed, in one line: the webhook and its message, or the failed check; undefined if it did not fail. */
export function failureOf({ outcome, failures, calls }: TraceEntry): string | undefined {
  const [failure] = failures;
  if (failure !== undefined) return `${failure.check}: ${oneLine(failure.message)}`;
  if (outcome !== 'refused') return undefined;
  const refusing = calls.flatMap(({ webhooks }) => webhooks).find(({ outcome: own }) => isRefusing(own));
  if (refusing === undefined) return undefined;
  const { webhook, message = '' } = refusing;
  const said = message
    .replace(`admission webhook "${webhook}" denied the request: `, '')
    .replace(`failed calling webhook "${webhook}": `, '');
  return `${webhook}: ${oneLine(said)}`;
}

function oneLine(text: string): string {
  return text.slice(0, maxLine).replace(/\s+/g, ' ');
}

/** More characters of a message have no room in the list. */
const maxLine = 300;

/** Returns the text by which an entry is found, in lower case. */
export function searchText({ name, group = '', outcome, facts, failures, calls }: TraceEntry, { texts }: TraceData): string {
  const said = calls.flatMap(({ path, webhooks, kubectl }) => [
    path,
    texts[kubectl] ?? '',
    ...webhooks.flatMap(({ webhook, outcome: own, message = '' }) => [webhook, own, message]),
  ]);
  return [name, group, outcome, facts, ...failures.map(({ message }) => message), ...said].join('\n').slice(0, maxSearched).toLowerCase();
}

/** A message may have megabytes. */
const maxSearched = 20_000;
