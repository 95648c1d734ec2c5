import { expect, it } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { type ChangeLog, newChangeLog } from '../../../src/local-apiserver/store/change-log.js';

function add(log: ChangeLog, revision: number, text = ''): void {
  const object = toValue({ text }) as ValueMap;
  log.add({ revision, collection: '/ConfigMap', key: 'default/a', object, previous: undefined });
}

const revisionsSince = (log: ChangeLog, revision: number): number[] | undefined => log.since(revision)?.map(change => change.revision);

it('the history holds the last 50,000 changes, and reports when older ones were dropped', () => {
  const log = newChangeLog(() => 0);
  for (let revision = 1; revision <= 130_000; revision += 1) {
    add(log, revision);
    if (revision % 9973 !== 0) continue;
    const oldest = Math.max(0, revision - 50_000);
    expect(log.since(oldest)?.length).toBe(revision - oldest);
    if (oldest > 0) expect(log.since(oldest - 1)).toBeUndefined();
    expect(revisionsSince(log, revision - 3)).toEqual([revision - 2, revision - 1, revision]);
  }
});

it('the history is limited by age and size', () => {
  let now = 0;
  const log = newChangeLog(() => now);
  add(log, 1);
  now = 10 * 60_000 + 1;
  add(log, 2);
  expect([revisionsSince(log, 0), revisionsSince(log, 1)]).toEqual([undefined, [2]]);
  for (let revision = 3; revision <= 40; revision += 1) add(log, revision, 'x'.repeat(1024 * 1024));
  expect([revisionsSince(log, 5), revisionsSince(log, 38)]).toEqual([undefined, [39, 40]]);
});
