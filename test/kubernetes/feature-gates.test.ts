import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { gatesOf } from '../../src/kubernetes/feature-gates.js';
import { defaultMinor } from '../../src/kubernetes/kubernetes-version.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('reads the gates of earlier minors once for all gates that no minor has', () => {
  const read = vi.spyOn(fs, 'readFileSync');
  syncBuiltinESMExports();
  expect(gatesOf({ minor: defaultMinor, featureGates: '' })('NoSuchGate')).toBe(false);
  // Nothing, where another file of the same worker has asked before.
  const { length } = read.mock.calls;
  expect(['NoOtherGate', ''].map(gatesOf({ minor: defaultMinor, featureGates: 'AllAlpha=true' }))).toEqual([false, false]);
  expect(read.mock.calls).toHaveLength(length);
});
