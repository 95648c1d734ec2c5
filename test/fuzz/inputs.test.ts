import { describe, expect, it } from 'vitest';
import { type Asked, searched, type Told } from './searched.js';

interface Bug {
  readonly what: string;
  readonly phase: 'mutating' | 'validating';
  readonly kind: string;
  readonly check: 'crash' | 'invalid-object';
  readonly answer: (request: Asked) => Told;
}

const crash: Told = { statusCode: 500 };

// biome-ignore lint/suspicious/noExplicitAny: specs of several kinds.
const specOf = (request: Asked): any => (request.object as { spec?: unknown } | null)?.spec;

const bugs: readonly Bug[] = [
  {
    ...{ what: 'expressions of selectors without values', phase: 'validating', kind: 'deployments.apps', check: 'crash' },
    answer: request =>
      (specOf(request)?.selector?.matchExpressions ?? []).some(({ values }: { values?: unknown }) => values === undefined) ? crash : {},
  },
  {
    ...{ what: 'Jobs without completions', phase: 'validating', kind: 'jobs.batch', check: 'crash' },
    answer: request => (request.object !== null && specOf(request)?.completions === undefined ? crash : {}),
  },
  {
    ...{ what: 'names that are too long for a label of the object', phase: 'mutating', kind: 'pods', check: 'invalid-object' },
    answer: ({ object, operation, name }) =>
      operation === 'CREATE' && object?.metadata.labels !== undefined && object.metadata.labels['name'] === undefined
        ? { patch: [{ op: 'add', path: '/metadata/labels/name', value: name }] }
        : {},
  },
];

describe('inputs of fuzz', { timeout: 60_000 }, () => {
  it.each(bugs)('have $what', async ({ phase, kind, check, answer }) => {
    const { findings } = await searched(phase, answer, { checks: [check], runs: 60, kinds: [kind] });
    expect(findings.map(finding => finding.check)).toContain(check);
  });
});
