import type { StepPhase } from '../../src/kubernetes/call-steps.js';
import type { TraceCall, TraceStep } from '../../src/pages/trace-model.js';

/** A row of the time line: the work of the API server in a phase, one webhook, or one conversion webhook. Its steps follow one another. */
export interface TimeRow {
  readonly phase: StepPhase;
  readonly name: string;
  /** What the tooltip says besides the name. */
  readonly more: string;
  /** Numbers of its steps, in the order of their time. */
  readonly steps: readonly number[];
}

const ownWork: Readonly<Record<StepPhase, string>> = {
  request: 'Request',
  mutating: 'Mutating plugins',
  object: 'Object',
  validating: 'Validating plugins',
  answer: 'Storage',
};

/** Returns the rows of a call in the order in which they begin; the webhooks of a phase are below its plugins. */
export function rowsOf({ steps, webhooks }: TraceCall): TimeRow[] {
  return (Object.keys(ownWork) as StepPhase[]).flatMap(phase => {
    const rows = new Map<string, { name: string; more: string; steps: number[] }>([['', { name: ownWork[phase], more: '', steps: [] }]]);
    for (const [index, step] of steps.entries()) {
      if (step.phase !== phase) continue;
      const { key, name, more } = ownerOf(step, webhooks);
      const row = rows.get(key) ?? { name, more, steps: [] };
      row.steps.push(index);
      rows.set(key, row);
    }
    return [...rows.values()]
      .filter(row => row.steps.length > 0)
      .map(row => ({ ...row, phase, steps: row.steps.sort((a, b) => startOf(steps[a]) - startOf(steps[b])) }));
  });
}

function startOf(step: TraceStep | undefined): number {
  return step?.startMs ?? 0;
}

function ownerOf({ kind, name, phase, webhook }: TraceStep, webhooks: TraceCall['webhooks']): { key: string; name: string; more: string } {
  if (kind === 'conversion') return { key: `conversion ${name}`, name, more: 'conversion webhook' };
  if (kind !== 'webhook' && kind !== 'skipped') return { key: '', name: '', more: '' };
  const configuration = webhooks[webhook ?? -1]?.configuration ?? '';
  return { key: `${name} ${configuration}`, name, more: `${phase} webhook of ${configuration}` };
}
