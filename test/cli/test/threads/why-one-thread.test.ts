import { describe, expect, it } from 'vitest';
import { whyOneThread } from '../../../../src/cli/test/threads/why-one-thread.js';
import type { FlagValues, Suite } from '../../../../src/suites/suite.js';

function suiteWith(flags: FlagValues, more: Partial<Suite> = {}): Suite {
  const place = { file: 's.yaml' };
  const suiteCase = {
    ...{ name: 'a', place, flags, checks: [], expect: {}, redactions: [] },
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
    [
      'that is compared with a cluster',
      suiteWith({}, { webhook: { 'against-cluster': true } }),
      'its cases share one connection to a cluster',
    ],
    ['that reads stdin', suiteWith({ state: ['-'] }), 'stdin can be read only once'],
  ])('%s', (_, suite, reason) => {
    expect(whyOneThread(suite, {} as Parameters<typeof whyOneThread>[1])).toBe(reason);
  });
});
