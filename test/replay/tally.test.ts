import { expect, it } from 'vitest';
import { countCall, mergedTally, newTally, type ReplayTally } from '../../src/replay/tally.js';

const counted = (namespace: string, user: string): ReplayTally => {
  const tally = newTally();
  const call = { source: 'a', line: 1, auditId: 'x', atMs: undefined, call: 'CREATE pods', user, namespace, resource: 'pods' };
  countCall(tally, call, { changes: [{ change: 'newly-refused', by: 'policy', message: 'm' }], waitedMs: 0 });
  return tally;
};

it('counts namespaces and users that are called as members of every object are', () => {
  const [group] = Object.values(mergedTally(counted('constructor', 'toString'), counted('constructor', 'valueOf')).groups);
  expect(group).toMatchObject({ namespaces: { constructor: 2 }, users: { toString: 1, valueOf: 1 } });
});
