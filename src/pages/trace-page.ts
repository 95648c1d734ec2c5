import { outcomeWords } from '../reports/outcome-words.js';
import { selfContained } from '../reports/suites/html/page.js';
import { textBlock } from '../reports/suites/html/texts.js';
import { element, type Html, jsonElement, rawElement, voidElement } from '../writers/html.js';
import { tracePageFiles } from './page-files.js';
import { type TracedEntry, traceData, traceJson } from './trace-data.js';
import type { TraceCall, TraceData, TraceEntry, TraceWebhook } from './trace-model.js';

export interface TracePage extends Omit<TraceData, 'entries' | 'texts'> {
  readonly entries: readonly TracedEntry[];
  /** Address of the events that say when there is a newer page; only for a served page. */
  readonly events?: string | undefined;
  /** Address that takes edited calls; only for a served page. */
  readonly sendTo?: string | undefined;
}

/** Entries in the part for browsers without JavaScript. */
const maxStatic = 500;

/** Characters of a text in it. */
const maxStaticText = 5000;

/**
 * Returns a self-contained page with a time line of each call. Its content security policy allows only its own style and script, and, for a served page, the
 * events of its own origin. Without JavaScript it shows the outcome of each call and kubectl's output.
 */
export function tracePage({ entries, events, sendTo, ...about }: TracePage): string {
  const { title, toolVersion } = about;
  const data = traceData(entries, about);
  const { style, script } = tracePageFiles();
  const body = element(
    'body',
    { 'data-events': events, 'data-send-to': sendTo },
    element(
      'noscript',
      {},
      element('h1', {}, title),
      data.entries.slice(0, maxStatic).map(entry => staticEntry(entry, data)),
    ),
    jsonElement('data', traceJson(data)),
    rawElement('script', script),
  );
  const meta = [voidElement('meta', { name: 'color-scheme', content: 'light dark' })];
  return selfContained({ title, toolVersion, styles: [{ text: style }], scripts: [script], body, meta, connects: events !== undefined });
}

function staticEntry({ name, group, outcome, facts, failures, calls }: TraceEntry, data: TraceData): Html {
  return element(
    'section',
    {},
    element('h2', {}, group === undefined ? name : `${group}: ${name}`),
    element('p', {}, `${outcome}, ${facts}`),
    failures.map(({ check, message }) => element('p', {}, `${check}: ${message}`)),
    calls.map(call => staticCall(call, data)),
  );
}

function staticCall({ webhooks, kubectl, allowed }: TraceCall, { texts, sendsNothing }: TraceData): readonly (Html | undefined)[] {
  // What would be called has answered nothing.
  const wordsOf = (entry: TraceWebhook): string =>
    sendsNothing === true && entry.outcome === 'allowed' ? 'would be called' : outcomeWords(entry);
  const lines = webhooks.map(entry =>
    element(
      'li',
      {},
      [`${entry.phase} ${entry.webhook}: ${wordsOf(entry)}`, entry.reason, entry.message]
        .filter(text => text !== undefined)
        .join(', ')
        .slice(0, maxStaticText),
    ),
  );
  const text = (sendsNothing === true && allowed ? '' : (texts[kubectl] ?? '')).slice(0, maxStaticText);
  return [lines.length === 0 ? undefined : element('ul', {}, lines), text === '' ? undefined : textBlock(text)];
}
