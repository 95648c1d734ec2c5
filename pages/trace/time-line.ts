import type { CallStage } from '../../src/kubernetes/call-steps.js';
import type { TraceCall, TraceStep } from '../../src/pages/trace-model.js';
import { outcomeWords } from '../../src/reports/outcome-words.js';
import { type Child, cutName, duration, el } from '../shared/dom.js';
import { isRefusing } from './page-state.js';
import { rowsOf, type TimeRow } from './time-rows.js';

const names: Readonly<Record<string, string>> = {
  request: 'Endpoint and user',
  decode: 'Decode the body',
  defaults: 'Defaults',
  patch: 'Apply the patch',
  managedFields: 'Managed fields',
  selection: 'Selection of webhooks',
  prepare: 'Prepare for storage',
  validation: 'Validation',
  storage: 'Storage and answer',
};

/** Returns the name of a step for people. */
export function stepName({ kind, name, round }: TraceStep): string {
  const again = round > 1 ? ', again' : '';
  if (kind === 'plugins') return `${name} plugin${name === '1' ? '' : 's'} without effect${again}`;
  if (kind === 'conversion') return `Conversion by ${name}`;
  if (kind === 'plugin' || kind === 'webhook' || kind === 'skipped') return `${name}${again}`;
  return `${names[kind] ?? kind}${again}`;
}

/** Returns a row with its bars for each webhook and for each phase of the API server's own work; `onChosen` is called with the step that the user chose. */
export function timeLine(call: TraceCall, chosen: number | undefined, onChosen: (step: number) => void): HTMLElement {
  const total = Math.max(call.durationMs ?? 0, ...call.steps.map(({ startMs, durationMs }) => startMs + durationMs), 0.001);
  const rows = rowsOf(call);
  const focusable = chosen ?? rows[0]?.steps[0];
  return el(
    'div',
    { class: 'time-line', role: 'group', 'aria-label': 'Time line' },
    rows.map(row => rowView(row, { call, total, chosen, focusable, onChosen })),
    el(
      'div',
      { class: 'scale', 'aria-hidden': 'true' },
      el('span', {}, '0'),
      el('span', {}, duration(total / 2)),
      el('span', {}, duration(total)),
    ),
    legend(call),
  );
}

interface Drawn {
  readonly call: TraceCall;
  readonly total: number;
  readonly chosen: number | undefined;
  /** The step that the tabulator goes to. */
  readonly focusable: number | undefined;
  readonly onChosen: (step: number) => void;
}

function rowView({ phase, name, more, steps }: TimeRow, drawn: Drawn): HTMLElement {
  const { call, total, chosen, focusable, onChosen } = drawn;
  const track = el('div', { class: 'track' });
  for (const index of steps) {
    const step = call.steps[index];
    if (step === undefined) continue;
    const own = { call, total, isChosen: index === chosen, isFocusable: index === focusable, onChosen: () => onChosen(index) };
    track.append(step.kind === 'skipped' ? skippedBar(step, own) : bar(step, own));
  }
  return el('div', { class: `lane phase-${phase}` }, cutName(name, more), track);
}

const stages: readonly (readonly [CallStage, string])[] = [
  ['connect', 'connect'],
  ['tls', 'TLS handshake'],
  ['wait', 'wait for the response'],
  ['read', 'read it'],
];

/** Returns what the colors mean, of those that the call has. */
function legend({ steps }: TraceCall): Child {
  const known = new Set(steps.flatMap(({ parts = [] }) => parts.map(({ name }) => name)));
  const items = stages.filter(([stage]) => known.has(stage)).map(([stage, words]) => [stage, words] as const);
  const hasTimeout = steps.some(({ timeoutMs }) => timeoutMs !== undefined);
  if (items.length === 0 && !hasTimeout) return undefined;
  return el(
    'ul',
    { class: 'legend', 'aria-label': 'Legend' },
    [...items, ...(hasTimeout ? [['timeout', 'until timeoutSeconds'] as const] : [])].map(([name, words]) =>
      el('li', {}, el('span', { class: `sample ${name}`, 'aria-hidden': 'true' }), words),
    ),
  );
}

interface BarPlace {
  readonly call: TraceCall;
  readonly total: number;
  readonly isChosen: boolean;
  readonly isFocusable: boolean;
  readonly onChosen: () => void;
}

function barButton(text: string, className: string, { isChosen, isFocusable, onChosen }: BarPlace): HTMLButtonElement {
  return el('button', {
    type: 'button',
    class: className,
    'aria-label': text,
    'aria-pressed': isChosen ? 'true' : 'false',
    title: text,
    tabindex: isFocusable ? 0 : -1,
    onclick: onChosen,
  });
}

/** A webhook that was not called has no time, but a reason. */
function skippedBar(step: TraceStep, place: BarPlace): HTMLElement {
  const by = place.call.webhooks[step.webhook ?? -1]?.skippedBy;
  const words = by === undefined ? 'not called' : `not called: ${by}`;
  const node = barButton(`${stepName(step)}, ${words}`, 'bar skipped-bar', place);
  node.append(words);
  return node;
}

function bar(step: TraceStep, place: BarPlace): HTMLElement {
  const { call, total } = place;
  const webhook = call.webhooks[step.webhook ?? -1];
  const isFailed = step.error !== undefined || isRefusing(webhook?.outcome);
  const said = webhook === undefined || webhook.outcome === 'allowed' ? '' : `, ${outcomeWords(webhook)}`;
  const node = barButton(`${stepName(step)}, ${duration(step.durationMs)}${said}`, `bar${isFailed ? ' refusing' : ''}`, place);
  node.style.left = percent(step.startMs, total);
  node.style.width = percent(step.durationMs, total);
  for (const { name, startMs, durationMs } of step.parts ?? []) {
    const part = el('span', { class: `part ${name}` });
    part.style.left = percent(startMs - step.startMs, step.durationMs);
    part.style.width = percent(durationMs, step.durationMs);
    node.append(part);
  }
  if (step.timeoutMs !== undefined) {
    const frame = el('span', { class: 'frame' });
    // Relative to the bar, and never beyond the time line.
    frame.style.width = `${(100 * Math.min(step.timeoutMs, total - step.startMs)) / Math.max(step.durationMs, total * 0.003)}%`;
    node.append(frame);
  }
  return node;
}

function percent(value: number, total: number): string {
  return `${(100 * value) / Math.max(total, 1e-9)}%`;
}
