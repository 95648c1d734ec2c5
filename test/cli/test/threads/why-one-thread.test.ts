import { describe, expect, it } from 'vitest';
import { whyCasesInOneThread } from '../../../../src/cli/commands/test/case-threads.js';
import type { CaseOptions, Suite } from '../../../../src/suites/suite.js';

type Flags = Parameters<typeof whyCasesInOneThread>[1];

function suiteWith(options: CaseOptions, more: Partial<Suite> = {}): Suite {
  const place = { file: 's.yaml' };
  const suiteCase = {
    ...{ name: 'a', place, options, checks: [], expect: {}, redactions: [] },
    snapshot: undefined,
    skip: undefined,
    only: false,
  };
  return { name: 's', file: 's.yaml', snapshots: { folder: '.', scope: 'all' }, webhook: {}, cases: [suiteCase], ...more };
}

describe('a suite', () => {
  it.each([
    ['without an API server', suiteWith({ filename: ['pod.yaml'] }), undefined],
    ['with an API server', suiteWith({}, { apiserver: {} }), 'the writes of its clients are recorded for one case at a time'],
    ['with the state of a cluster', suiteWith({ context: 'kind' }), 'its cases share one connection to a cluster'],
    ['that reads stdin', suiteWith({ state: ['-'] }), 'stdin can be read only once'],
  ])('%s', (_, suite, reason) => {
    expect(whyCasesInOneThread(suite, {} as Flags)).toBe(reason);
  });

  it('that is compared with a cluster', () => {
    expect(whyCasesInOneThread(suiteWith({}), { againstCluster: true } as Flags)).toBe('its cases share one connection to a cluster');
  });
});
