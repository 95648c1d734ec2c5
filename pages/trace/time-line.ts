import type { StepPhase } from '../../src/kubernetes/call-steps.js';
import type { TraceCall, TraceStep } from '../../src/pages/trace-model.js';
import { duration, el } from '../shared/dom.js';
import { isRefusing } from './page-state.js';

const lanes: readonly (readonly [StepPhase, string])[] = [
  ['request', 'Request'],
  ['mutating', 'Mutating'],
  ['object', 'Object'],
  ['validating', 'Validating'],
  ['answer', 'Answer'],
];

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
  if (kind === 'plugin' || kind === 'webhook') return `${name}${again}`;
  return `${names[kind] ?? kind}${again}`;
}

/** Returns the lanes with a bar for each step; `onChosen` is called with the step that the user chose. */
export function timeLine(call: TraceCall, chosen: number | undefined, onChosen: (step: number) => void): HTMLElement {
  const total = Math.max(call.durationMs ?? 0, ...call.steps.map(({ startMs, durationMs }) => startMs + durationMs), 0.001);
  const rows = lanes.map(([phase, title]) => {
    const rowEnds: number[] = [];
    const track = el('div', { class: 'track' });
    for (const [index, step] of call.steps.entries()) {
      if (step.phase !== phase) continue;
      // Steps beside each other are in rows of their own.
      const free = rowEnds.findIndex(end => end <= step.startMs + total * 1e-6);
      const row = free < 0 ? rowEnds.length : free;
      rowEnds[row] = step.startMs + step.durationMs;
      track.append(bar(step, { call, total, row, isChosen: index === chosen, onChosen: () => onChosen(index) }));
    }
    track.style.height = `${Math.max(1, rowEnds.length) * 28}px`;
    return el('div', { class: `lane phase-${phase}` }, el('span', {}, title), track);
  });
  return el(
    'div',
    { role: 'group', 'aria-label': 'Time line' },
    rows,
    el(
      'div',
      { class: 'scale', 'aria-hidden': 'true' },
      el('span', {}, '0'),
      el('span', {}, duration(total / 2)),
      el('span', {}, duration(total)),
    ),
  );
}

interface BarPlace {
  readonly call: TraceCall;
  readonly total: number;
  readonly row: number;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
}

function bar(step: TraceStep, { call, total, row, isChosen, onChosen }: BarPlace): HTMLElement {
  const refuses = step.error !== undefined || isRefusing(call.webhooks[step.webhook ?? -1]?.outcome);
  const node = el('button', {
    type: 'button',
    class: `bar${refuses ? ' refusing' : ''}`,
    'aria-label': `${stepName(step)}, ${duration(step.durationMs)}`,
    'aria-pressed': isChosen ? 'true' : 'false',
    title: `${stepName(step)}: ${duration(step.durationMs)}`,
    tabindex: isChosen ? 0 : -1,
    onclick: onChosen,
  });
  node.style.left = percent(step.startMs, total);
  node.style.width = percent(step.durationMs, total);
  node.style.top = `${row * 28}px`;
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
