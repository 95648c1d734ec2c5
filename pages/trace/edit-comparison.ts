import type { TraceCall, TraceData, TraceEdit, TraceWebhook } from '../../src/pages/trace-model.js';
import { outcomeWords } from '../../src/reports/outcome-words.js';
import { type Child, el, longText } from '../shared/dom.js';
import { type ChangeOptions, changeView } from './change-view.js';

/** A call, and what can be edited of it. */
interface Edited {
  readonly call: TraceCall;
  readonly edit: TraceEdit | undefined;
}

interface Comparing {
  readonly data: TraceData;
  readonly options: ChangeOptions;
  readonly showBefore: () => void;
}

/** Returns the result of an edited call beside that of the call before. */
export function editComparison(
  before: Edited & { readonly number: number },
  now: Edited,
  { data, options, showBefore }: Comparing,
): HTMLElement {
  const link = el('button', { type: 'button', class: 'link', onclick: showBefore }, `call ${before.number}`);
  const bodies = [before, now].map(({ call }) => (call.allowed && data.sendsNothing !== true ? data.texts[call.answer] : undefined));
  const [bodyBefore, bodyNow] = bodies;
  return el(
    'section',
    { class: 'comparison', 'aria-label': 'Comparison' },
    el('h3', {}, 'Edited from ', link),
    el('div', { class: 'beside' }, resultView('Before', before, data), resultView('Now', now, data)),
    changesView('Edited', before.edit?.object, now.edit?.object, options),
    changesView('Object that the client gets', bodyBefore, bodyNow, options),
  );
}

function resultView(title: string, { call, edit }: Edited, data: TraceData): HTMLElement {
  const { allowed, code, user, kubectl, webhooks } = call;
  const said = data.texts[kubectl] ?? '';
  const isUnsent = data.sendsNothing === true;
  return el(
    'div',
    {},
    el('h4', {}, title),
    el(
      'p',
      {},
      !(isUnsent && allowed) && [el('b', { class: allowed ? 'allowed' : 'refused' }, allowed ? 'allowed' : 'refused'), ` ${code}, `],
      `${edit?.operation ?? call.method} by ${user}`,
    ),
    el(
      'ul',
      {},
      // That a second round needs no call is normal.
      webhooks
        .filter(({ round, outcome }) => round === 1 || outcome !== 'skipped')
        .map(webhook => el('li', {}, `${webhook.phase} ${webhook.webhook}: ${wordsOf(webhook, isUnsent)}`)),
    ),
    said !== '' && !(isUnsent && allowed) && longText(said),
  );
}

function wordsOf(webhook: TraceWebhook, isUnsent: boolean): string {
  if (webhook.outcome === 'skipped') return `not called: ${webhook.skippedBy ?? ''}`;
  return isUnsent && webhook.outcome === 'allowed' ? 'would be called' : outcomeWords(webhook);
}

function changesView(title: string, before: string | undefined, after: string | undefined, options: ChangeOptions): Child {
  if (before === undefined || after === undefined || before === after) return undefined;
  return el('details', { open: title === 'Edited' }, el('summary', {}, title), changeView({ before, after }, options, title));
}
