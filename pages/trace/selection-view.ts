import type { TraceData, TraceWebhook } from '../../src/pages/trace-model.js';
import { type Child, el } from '../shared/dom.js';

/** Returns why webhooks were or were not called: what each predicate wanted and what it saw. */
export function selectionView(webhooks: readonly TraceWebhook[], { sendsNothing }: Pick<TraceData, 'sendsNothing'>): Child {
  if (webhooks.length === 0) return el('p', { class: 'quiet' }, 'No webhooks.');
  const called = sendsNothing === true ? 'would be called' : 'called';
  return webhooks.map(webhook => {
    const { outcome, reason } = webhook;
    const isSkipped = outcome === 'skipped';
    return [
      el('h4', {}, `${webhook.webhook} `, el('span', { class: 'quiet' }, `${webhook.phase}, ${webhook.configuration}`)),
      el(
        'p',
        {},
        el('b', { class: isSkipped ? 'skipped' : 'allowed' }, isSkipped ? 'not called' : called),
        isSkipped && `: ${reason ?? ''}`,
      ),
      predicatesTable(webhook),
    ];
  });
}

function predicatesTable({ webhook, selection }: TraceWebhook): Child {
  if (selection.length === 0) return undefined;
  const names = ['predicate', 'wants', 'saw'];
  const head = names.map(text => el('th', { scope: 'col' }, text));
  const rows = selection.map(({ predicate, wants, saw, decided }) =>
    el(
      'tr',
      decided ? { class: 'decided' } : {},
      // The names of the columns are beside the values on narrow pages.
      [predicate, wants, saw].map((text, index) => el('td', { 'data-name': index === 0 ? undefined : names[index] }, text)),
    ),
  );
  const table = el('table', { class: 'plain' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows));
  return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Selection of ${webhook}` }, table);
}
