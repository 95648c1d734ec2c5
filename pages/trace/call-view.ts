import type { TraceCall, TraceData, TraceEntry, TraceFailure } from '../../src/pages/trace-model.js';
import { type Child, duration, el, longText } from '../shared/dom.js';
import { unifiedDiff } from './change-view.js';
import { editComparison } from './edit-comparison.js';
import { editForm } from './edit-form.js';
import { bodyView } from './exchange-view.js';
import { firstStep, fragmentOf, type Place, shownOutcome } from './page-state.js';
import { selectionView } from './selection-view.js';
import { listView, stepView, type ViewOptions } from './step-view.js';
import { stepName, timeLine } from './time-line.js';

export interface Viewed {
  readonly data: TraceData;
  readonly place: Place;
  readonly options: ViewOptions;
  readonly go: (place: Place) => void;
  /** Where calls can be edited: only on a served page. */
  readonly editing?: Editing | undefined;
}

export interface Editing {
  /** Forms by their entries: they keep what the user typed. */
  readonly forms: Map<number, HTMLElement>;
  readonly sendTo: string;
}

/** Returns everything about an entry: why it failed, and its calls with their time lines. */
export function entryView(entry: TraceEntry, viewed: Viewed): HTMLElement {
  const { place, go } = viewed;
  const call = entry.calls[place.call];
  const outcome = shownOutcome(entry, viewed.data);
  return el(
    'article',
    {},
    el('h2', {}, entry.group === undefined ? '' : `${entry.group}: `, entry.name),
    el('p', {}, outcome !== '' && [el('b', { class: outcome }, outcome), ', '], entry.facts),
    entry.failures.map(failureView),
    comparisonView(entry, viewed),
    editView(entry, viewed),
    entry.notes.map(note => el('p', { class: 'quiet' }, `note: ${note}`)),
    entry.calls.length > 1 &&
      el(
        'ol',
        { class: 'tools', 'aria-label': 'Calls of this case' },
        entry.calls.map((one, index) =>
          el(
            'button',
            { type: 'button', 'aria-pressed': String(index === place.call), onclick: () => go({ ...place, call: index, step: undefined }) },
            `${index + 1}. ${one.method} ${one.allowed ? 'allowed' : 'refused'}`,
          ),
        ),
      ),
    call !== undefined && callView(call, viewed, entry.editOf !== undefined),
  );
}

function comparisonView({ editOf, calls: [call], edit }: TraceEntry, { data, options, go }: Viewed): Child {
  const original = editOf === undefined ? undefined : data.entries[editOf];
  const [before] = original?.calls ?? [];
  if (editOf === undefined || before === undefined || call === undefined) return undefined;
  return editComparison(
    { number: editOf + 1, call: before, edit: original?.edit },
    { call, edit },
    { data, options, showBefore: () => go({ entry: editOf, call: 0, step: undefined }) },
  );
}

function editView({ edit }: TraceEntry, { data, place: { entry }, editing }: Viewed): Child {
  if (edit === undefined || editing === undefined) return undefined;
  const { forms, sendTo } = editing;
  const form = forms.get(entry) ?? editForm(edit, { entry, sendTo, sendsNothing: data.sendsNothing === true });
  forms.set(entry, form);
  return form;
}

function failureView({ check, message, expected, actual, diff }: TraceFailure): HTMLElement {
  const values = diff === undefined ? [expected, actual] : [];
  return el(
    'div',
    { class: 'failure' },
    el('p', {}, el('b', {}, check), ` ${message}`),
    values.map(
      (value, index) => value !== undefined && [el('p', { class: 'quiet' }, index === 0 ? 'expected' : 'actual'), longText(value)],
    ),
    diff !== undefined && unifiedDiff(diff),
  );
}

/** `isCompared`: kubectl's output is shown beside that of another call. */
function callView(call: TraceCall, viewed: Viewed, isCompared: boolean): Child {
  const { data, place, options, go } = viewed;
  const chosen = place.step ?? firstStep(call, data);
  const step = chosen === undefined ? undefined : call.steps[chosen];
  const kubectl = data.texts[call.kubectl] ?? '';
  const choose = (index: number): void => go({ ...place, step: index });
  const line = timeLine(call, chosen, choose);
  line.addEventListener('keydown', event => {
    const next = nextStep(event.key, chosen ?? -1, call.steps.length);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next);
    document.querySelector<HTMLElement>('.bar[aria-pressed=true]')?.focus();
  });
  return [
    el('p', {}, `${call.method} ${call.path} by ${call.user}, Kubernetes ${call.version}`),
    // Where nothing was sent, nothing was created.
    kubectl !== '' &&
      !isCompared &&
      !(data.sendsNothing === true && call.allowed) &&
      longText(kubectl, { 'aria-label': "kubectl's output" }),
    step === undefined && reasonsView(call, data),
    call.steps.length === 0
      ? el('p', { class: 'quiet' }, 'The steps of this call were not measured.')
      : [el('h3', {}, 'Time line ', el('span', { class: 'quiet' }, duration(call.durationMs ?? 0))), line, stepTable(call, chosen, viewed)],
    step !== undefined && stepView(step, call, { data, options }),
    listView('Findings', call.findings),
    listView('Warnings', call.warnings),
    listView(
      'Audit annotations',
      Object.entries(call.auditAnnotations).map(([key, value]) => `${key}: ${value}`),
    ),
    call.notes.map(note => el('p', { class: 'quiet' }, `note: ${note}`)),
    !(data.sendsNothing === true && call.allowed) && answerView(data.texts[call.answer] ?? '', call),
  ];
}

/** Returns why each webhook was or was not called. */
function reasonsView({ webhooks, steps }: TraceCall, data: TraceData): Child {
  const first = webhooks.filter(({ round }) => round === 1);
  if (first.length > 0) return el('section', { 'aria-label': 'Webhooks' }, el('h3', {}, 'Webhooks'), selectionView(first, data));
  const isOver = steps.length > 0 && !steps.some(({ phase }) => phase === 'mutating');
  const words = isOver
    ? 'The call ended before webhooks are selected.'
    : 'No webhook is configured for this call: pass --state PATH with webhook configurations; match --all-operations lists what they cover.';
  return el('p', { class: 'quiet' }, words);
}

/** Returns the step that a key goes to. */
export function nextStep(key: string, from: number, count: number): number | undefined {
  const to = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: count - 1 }[key];
  return to === undefined || to < 0 || to >= count ? undefined : to;
}

function stepTable({ steps }: TraceCall, chosen: number | undefined, { place, go }: Viewed): HTMLElement {
  return el(
    'details',
    {},
    el('summary', {}, `${steps.length} steps as a table`),
    el(
      'table',
      { class: 'steps' },
      el(
        'tbody',
        {},
        steps.map((step, index) =>
          el(
            'tr',
            { 'aria-current': index === chosen ? 'true' : undefined },
            el('td', {}, step.phase),
            el('td', {}, stepLink(stepName(step), { ...place, step: index }, go)),
            el('td', {}, step.kind === 'skipped' ? 'not called' : step.after === undefined ? '' : 'changed the object'),
            el('td', {}, step.kind === 'skipped' ? '' : duration(step.durationMs)),
          ),
        ),
      ),
    ),
  );
}

function stepLink(text: string, place: Place, go: (place: Place) => void): HTMLElement {
  const link = el('a', { href: fragmentOf(place) }, text);
  link.addEventListener('click', event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(place);
  });
  return link;
}

/** The body is only written when it is opened: it may be long. */
function answerView(body: string, { code, contentType }: TraceCall): Child {
  const place = el('div');
  const details = el('details', {}, el('summary', {}, `Answer of the API server: ${code} ${contentType}`), place);
  details.addEventListener('toggle', () => {
    if (details.open) place.replaceChildren(bodyView(body));
  });
  return details;
}
