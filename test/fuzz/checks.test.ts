import { describe, expect, it } from 'vitest';
import type { FuzzCheckName } from '../../src/fuzz/checks/finding.js';
import { type Asked, searched, type Told } from './searched.js';

interface Row {
  readonly check: FuzzCheckName;
  readonly phase: 'mutating' | 'validating';
  /** Shows the finding. */
  readonly broken: () => (request: Asked) => Told;
  /** Only looks like it. */
  readonly correct: () => (request: Asked) => Told;
}

const isCreation = ({ operation, subResource = '' }: Asked): boolean => operation === 'CREATE' && subResource === '';
const add = (path: string, value: unknown): Told => ({ patch: [{ op: 'add', path, value }] });

const rows: readonly Row[] = [
  {
    check: 'crash',
    phase: 'validating',
    broken: () => request => (isCreation(request) ? { isReset: true } : {}),
    correct: () => () => ({ refuse: 'internal error: EOF' }),
  },
  {
    check: 'invalid-response',
    phase: 'validating',
    broken: () => request => (isCreation(request) ? { uid: 'another' } : {}),
    correct: () => () => ({ refuse: 'expected response.uid' }),
  },
  {
    check: 'invalid-response',
    phase: 'validating',
    broken: () => request => (isCreation(request) ? { unreadable: 'malformed chunked encoding' } : {}),
    correct: () => () => ({ refuse: 'malformed chunked encoding' }),
  },
  {
    check: 'invalid-object',
    phase: 'mutating',
    broken: () => request => (isCreation(request) ? { patch: [{ op: 'replace', path: '/spec/containers', value: [] }] } : {}),
    correct: () => request => (isCreation(request) ? add('/spec/enableServiceLinks', false) : {}),
  },
  {
    check: 'lost-field',
    phase: 'mutating',
    broken: () => request => (isCreation(request) ? add('/spec/runAsNonroot', true) : {}),
    // Go omits an empty text.
    correct: () => request => (isCreation(request) ? add('/spec/hostname', '') : {}),
  },
  {
    check: 'not-idempotent',
    phase: 'mutating',
    broken: () => request => (isCreation(request) ? add('/spec/tolerations/-', { key: 'a', operator: 'Exists' }) : {}),
    correct: () => request => (isCreation(request) ? add('/metadata/labels', { a: 'b' }) : {}),
  },
  {
    check: 'unsteady',
    phase: 'validating',
    broken: () => {
      let calls = 0;
      return () => {
        calls += 1;
        return calls % 2 === 0 ? { refuse: 'no' } : {};
      };
    },
    correct: () => request => (request.operation === 'CREATE' ? {} : { refuse: 'no' }),
  },
  {
    check: 'dry-run',
    phase: 'validating',
    broken: () => request => (isCreation(request) && request.dryRun === true ? { refuse: 'no dry runs' } : {}),
    correct: () => request => (isCreation(request) ? { refuse: 'no' } : {}),
  },
  {
    check: 'refuses-unchanged',
    phase: 'validating',
    broken: () => request => (request.operation === 'UPDATE' ? { refuse: 'immutable' } : {}),
    correct: () => request => (isCreation(request) ? { refuse: 'never' } : {}),
  },
  {
    check: 'slow',
    phase: 'validating',
    broken: () => request => ({ durationMs: isCreation(request) ? 6000 : 1 }),
    // Late once, but not for the same review again.
    correct: () => {
      const late = new Set<string>();
      return ({ uid }) => {
        const isFirst = !late.has(uid);
        late.add(uid);
        return { durationMs: isFirst ? 6000 : 1 };
      };
    },
  },
];

describe('the checks of fuzz', { timeout: 60_000 }, () => {
  it.each(rows)('$check finds a broken webhook, and nothing where it only looks like one', async ({ check, phase, broken, correct }) => {
    const { findings } = await searched(phase, broken(), { checks: [check] });
    expect([...new Set(findings.map(finding => finding.check))]).toEqual([check]);
    expect((await searched(phase, correct(), { checks: [check] })).findings).toEqual([]);
  });

  it('looks at updates of objects whose creation is answered like others', async () => {
    const refuses = ({ operation, object }: Asked): Told => {
      const { hostNetwork } = (object as { spec?: { hostNetwork?: boolean } } | null)?.spec ?? {};
      return operation === 'UPDATE' && hostNetwork === true ? { refuse: 'no' } : {};
    };
    const { findings } = await searched('validating', refuses, { checks: ['refuses-unchanged'], runs: 120 });
    expect(findings.map(({ check }) => check)).toEqual(['refuses-unchanged']);
  });

  it('does not report patches whose operations come in another order, with the same effect', async () => {
    let calls = 0;
    const ordered = (request: Asked): Told => {
      calls += 1;
      const patch = ['hostname', 'subdomain'].map(field => ({ op: 'add', path: `/spec/${field}`, value: 'a' }));
      return isCreation(request) ? { patch: calls % 2 === 0 ? patch : patch.reverse() } : {};
    };
    expect((await searched('mutating', ordered, { checks: ['unsteady'] })).findings).toEqual([]);
  });

  it('does not take keys that are digits for items of a list whose order matters', async () => {
    const alternating = (patchOf: (request: Asked) => readonly object[]) => {
      const known = new Set<string>();
      return (request: Asked): Told => {
        if (!isCreation(request)) return {};
        const isFirst = !known.has(request.uid);
        known.add(request.uid);
        const patch = patchOf(request);
        return { patch: isFirst ? patch : [...patch.slice(0, -2), ...patch.slice(-2).reverse()] };
      };
    };
    const labeling = alternating(({ object }) =>
      object?.metadata.labels === undefined ? [] : ['0', '1'].map(key => ({ op: 'add', path: `/metadata/labels/${key}`, value: 'a' })),
    );
    expect((await searched('mutating', labeling, { checks: ['unsteady'] })).findings).toEqual([]);
    const tolerating = alternating(() => [
      { op: 'add', path: '/spec/tolerations', value: [] },
      ...['a', 'b'].map(key => ({ op: 'add', path: '/spec/tolerations/0', value: { key, operator: 'Exists' } })),
    ]);
    const { findings } = await searched('mutating', tolerating, { checks: ['unsteady'] });
    expect(findings.map(({ check }) => check)).toEqual(['unsteady']);
  });

  it('does not report a webhook that was late for a while only', async () => {
    let late = 2;
    const recovers = (): Told => {
      late -= 1;
      return { durationMs: late >= 0 ? 6000 : 1 };
    };
    expect((await searched('validating', recovers, { checks: ['slow'] })).findings).toEqual([]);
  });

  it('finds a handler that panics over HTTP/2, once for all streams', async () => {
    let stream = -1;
    const panics = (): Told => {
      stream += 2;
      return { endedStream: stream };
    };
    const { findings } = await searched('validating', panics, { checks: ['crash'] });
    expect(findings.map(({ check }) => check)).toEqual(['crash']);
  });

  it('sends the same reviews in the same order for the same seed', async () => {
    const [one, same, other] = [1, 1, 2].map(seed => searched('validating', () => ({}), { checks: ['crash'], runs: 120, seed }));
    expect((await same)?.bodies).toEqual((await one)?.bodies);
    expect((await other)?.bodies).not.toEqual((await one)?.bodies);
  });
});
