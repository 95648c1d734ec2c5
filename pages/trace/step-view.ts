import type { TraceCall, TraceData, TracePolicy, TraceStep, TraceWebhook } from '../../src/pages/trace-model.js';
import { outcomeWords } from '../../src/reports/outcome-words.js';
import { type Child, duration, el, facts, longText } from '../shared/dom.js';
import type { Change } from '../shared/line-diff.js';
import { type ChangeOptions, changeView } from './change-view.js';
import { requestView, responseView } from './exchange-view.js';
import { isRefusing } from './page-state.js';
import { selectionView } from './selection-view.js';
import { stepName } from './time-line.js';

interface Tab {
  readonly name: string;
  readonly view: () => Child;
}

/** Names of the tabs that were chosen last, in the order of preference. */
export interface ViewOptions extends ChangeOptions {
  tab: string;
}

/** Returns the details of a step: its changes, the request and the response, the selection, and what it said. */
export function stepView(
  step: TraceStep,
  call: TraceCall,
  { data, options }: { readonly data: TraceData; readonly options: ViewOptions },
): HTMLElement {
  const webhook = step.webhook === undefined ? undefined : call.webhooks[step.webhook];
  const tabs = tabsOf({ step, call, webhook, data, options });
  const title = el(
    'h3',
    { tabindex: -1 },
    `${stepName(step)} `,
    step.kind !== 'skipped' && el('span', { class: 'quiet' }, duration(step.durationMs)),
  );
  const error = step.error === undefined ? undefined : data.texts[step.error];
  return el(
    'section',
    { class: 'detail', 'aria-label': 'Step' },
    title,
    error !== undefined && longText(error, { class: 'error' }),
    tabsView(tabs, options),
  );
}

interface Seen {
  readonly step: TraceStep;
  readonly call: TraceCall;
  readonly webhook: TraceWebhook | undefined;
  readonly data: TraceData;
  readonly options: ViewOptions;
}

function tabsOf({ step, call, webhook, data, options }: Seen): Tab[] {
  const { texts } = data;
  const policies = /AdmissionPolicy$/.test(step.name) ? call.policies.filter(({ phase }) => phase === step.phase) : [];
  const exchange = webhook?.exchange ?? step.exchange;
  const isSkipped = step.kind === 'skipped';
  const change = step.after === undefined ? undefined : changeOf(step, texts);
  const seen = call.steps.slice(0, call.steps.indexOf(step) + 1).findLast(({ after }) => after !== undefined)?.after;
  return [
    ...(change === undefined ? [] : [{ name: 'Changes', view: () => changeView(change, options) }]),
    ...(policies.length === 0 ? [] : [{ name: 'Policies', view: () => policies.map(policyView) }]),
    ...(webhook === undefined || isSkipped ? [] : [{ name: 'Decision', view: () => decisionView(webhook, step, data) }]),
    ...(step.kind === 'conversion' ? [{ name: 'Time', view: () => partsView(step) }] : []),
    ...(exchange === undefined
      ? []
      : [
          { name: 'Request', view: () => requestView(exchange, data) },
          ...(exchange.response === undefined ? [] : [{ name: 'Response', view: () => responseView(exchange, data) }]),
        ]),
    ...(step.kind === 'selection' || webhook !== undefined
      ? [
          {
            name: 'Selection',
            view: () => selectionView(webhook === undefined ? call.webhooks.filter(({ phase }) => phase === step.phase) : [webhook], data),
          },
        ]
      : []),
    ...(seen === undefined
      ? []
      : [
          {
            name: 'Object',
            view: () => changeView({ before: undefined, after: texts[seen] }, { ...options, isUnified: true, showsAll: true }),
          },
        ]),
  ];
}

function changeOf({ before, patched, after }: TraceStep, texts: readonly string[]): Change {
  const textAt = (index: number | undefined): string | undefined => (index === undefined ? undefined : texts[index]);
  return { before: textAt(before), patched: textAt(patched), after: textAt(after) };
}

function tabsView(tabs: readonly Tab[], options: ViewOptions): Child {
  const [first] = tabs;
  if (first === undefined) return el('p', { class: 'quiet' }, 'This step changed nothing.');
  const panel = el('div', { role: 'tabpanel', tabindex: 0, 'aria-label': 'Details' });
  const buttons = tabs.map(tab => el('button', { type: 'button', role: 'tab', onclick: () => choose(tab) }, tab.name));
  function choose(tab: Tab): void {
    for (const [index, button] of buttons.entries()) {
      const isChosen = tabs[index] === tab;
      button.setAttribute('aria-selected', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
    options.tab = tab.name;
    panel.replaceChildren(el('div', {}, tab.view()));
  }
  const list = el('div', { role: 'tablist', 'aria-label': 'Details of the step' }, buttons);
  list.addEventListener('keydown', event => {
    const at = buttons.findIndex(button => button.matches(':focus'));
    const next = event.key === 'ArrowRight' ? at + 1 : event.key === 'ArrowLeft' ? at - 1 : -1;
    const tab = tabs[next];
    if (at < 0 || tab === undefined) return;
    event.stopPropagation();
    choose(tab);
    buttons[next]?.focus();
  });
  choose(tabs.find(({ name }) => name === options.tab) ?? first);
  return [list, panel];
}

function decisionView(webhook: TraceWebhook, step: TraceStep, { sendsNothing }: TraceData): Child {
  const { configuration, outcome, failurePolicy, reason, message, advice, warnings, auditAnnotations, round } = webhook;
  return [
    facts([
      ['configuration', configuration],
      ['outcome', sendsNothing === true && outcome === 'allowed' ? 'would be called' : outcomeWords(webhook)],
      ['failurePolicy', failurePolicy],
      ...(round > 1 ? ([['round', 'called again']] as const) : []),
      ...(reason === undefined ? [] : ([['skipped', reason]] as const)),
    ]),
    message !== undefined && longText(message, { class: isRefusing(outcome) ? 'error' : '' }),
    advice.map(text => el('p', {}, text)),
    listView('Warnings', warnings),
    listView(
      'Audit annotations',
      Object.entries(auditAnnotations).map(([key, value]) => `${key}: ${value}`),
    ),
    partsView(step),
  ];
}

/** Returns a heading and a list; nothing without items. */
export function listView(title: string, items: readonly string[]): Child {
  if (items.length === 0) return undefined;
  return [el('h4', {}, title), items.map(text => longText(text))];
}

const stages: Readonly<Record<string, string>> = {
  review: 'write the request',
  connect: 'connect',
  tls: 'TLS handshake',
  wait: 'wait for the response',
  read: 'read the response',
  pause: 'wait for a retry',
  answer: 'check the response, apply the patch',
};

function partsView({ parts = [], timeoutMs }: TraceStep): Child {
  if (parts.length === 0) return undefined;
  const limit = timeoutMs === undefined ? [] : [['timeout', duration(timeoutMs)] as const];
  return [
    el('h4', {}, 'Time'),
    facts([...parts.map(({ name, durationMs }) => [stages[name] ?? name, duration(durationMs)] as const), ...limit]),
  ];
}

function policyView({ policy, binding, outcome, reason, message, expressions }: TracePolicy): Child {
  return [
    el('h4', {}, `${policy} `, el('span', { class: 'quiet' }, binding)),
    facts([
      ['outcome', outcome],
      ...(reason === undefined ? [] : ([['skipped', reason]] as const)),
      ...(message === undefined ? [] : ([['message', message]] as const)),
    ]),
    expressions.map(one =>
      el('div', {}, el('pre', { tabindex: 0 }, one.expression), el('p', {}, [one.outcome, one.message].filter(Boolean).join(': '))),
    ),
  ];
}
