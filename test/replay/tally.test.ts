import { expect, it } from 'vitest';
import { countAbsent, countCall, countUnknown, mergedTally, newTally, type ReplayTally } from '../../src/replay/tally.js';
import { readReplayReport } from '../../src/reports/replay/read-replay-report.js';
import { replayDocument } from '../../src/reports/replay/replay-document.js';

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

it('reads counts of a report that are called as members of objects are', () => {
  const run = {
    kubernetesVersion: 'v1.36.0',
    complete: true,
    shard: { index: 1, count: 2 },
    tally: counted('__proto__', 'constructor'),
    commandOf: () => 'a',
  };
  countUnknown(run.tally, 'constructor');
  countUnknown(run.tally, '__proto__');
  countAbsent(run.tally, '__proto__');
  const reading = readReplayReport(JSON.stringify(replayDocument(run)));
  if (reading.outcome !== 'read') throw new Error(reading.message);
  const merged = mergedTally(reading.run.tally, reading.run.tally);
  expect(Object.entries(merged.unknown).sort()).toEqual([
    ['__proto__', 2],
    ['constructor', 2],
  ]);
  expect(Object.entries(merged.absent)).toEqual([['__proto__', 2]]);
  const [group] = Object.values(merged.groups);
  expect([Object.entries(group?.namespaces ?? {}), Object.entries(group?.users ?? {})]).toEqual([[['__proto__', 2]], [['constructor', 2]]]);
});
