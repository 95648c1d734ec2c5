import { expect, it } from 'vitest';
import { newWatchWindow, type WatchWindow } from '../../../src/local-apiserver/store/watch-window.js';

function add(
  window: WatchWindow,
  { revision, at, size = 1 }: { readonly revision: number; readonly at: number; readonly size?: number },
): void {
  window.add({ revision, collection: '/ConfigMap', key: 'default/a', object: undefined, previous: undefined }, at, size);
}

function since(window: WatchWindow, revision: number): number[] | string {
  const missed = window.since(revision);
  return 'oldest' in missed ? `oldest ${missed.oldest}` : missed.changes.map(change => change.revision);
}

it('keeps the last 100 changes, however old they are', () => {
  const window = newWatchWindow(0, Number.MAX_SAFE_INTEGER);
  for (let revision = 1; revision <= 100; revision += 1) add(window, { revision, at: 0 });
  expect(since(window, 0)).toHaveLength(100);
  add(window, { revision: 101, at: 3_600_000 });
  expect([since(window, 0), since(window, 1)]).toEqual(['oldest 1', expect.arrayContaining([2, 101])]);
  expect(since(window, 99)).toEqual([100, 101]);
  expect(since(window, 101)).toEqual([]);
});

it('doubles while a full window is younger than 75 seconds, and halves when changes are rare', () => {
  const window = newWatchWindow(0, Number.MAX_SAFE_INTEGER);
  for (let revision = 1; revision <= 200; revision += 1) add(window, { revision, at: revision * 300 });
  expect(since(window, 0)).toHaveLength(200);
  for (let revision = 201; revision <= 260; revision += 1) add(window, { revision, at: revision * 3000 });
  expect([since(window, 157), since(window, 159)]).toEqual(['oldest 160', 'oldest 160']);
  expect(since(window, 160)).toHaveLength(100);
});

it('starts at the revision from which changes are known, and is limited by size', () => {
  const window = newWatchWindow(7, 10);
  expect([since(window, 6), since(window, 7)]).toEqual(['oldest 7', []]);
  add(window, { revision: 9, at: 0, size: 6 });
  add(window, { revision: 12, at: 0, size: 6 });
  expect([since(window, 7), since(window, 11)]).toEqual(['oldest 11', [12]]);
});
