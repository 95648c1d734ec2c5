import { expect, it } from 'vitest';
import type { FuzzInput } from '../../src/fuzz/inputs/input.js';
import { normalizedForms } from '../../src/fuzz/run/message.js';
import { manifestsOf } from '../../src/fuzz/run/report.js';
import { mapOf } from '../support/map-of.js';

it('a finding of an apply shows the object before, and a manifest with its name', () => {
  const old = mapOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { a: 'b' } } });
  const object = mapOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} });
  const shown = manifestsOf({ object, old, operation: 'apply' } as FuzzInput);
  expect(shown).toEqual([
    { file: 'manifest.yaml', object: mapOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }) },
    { file: 'old.yaml', object: old },
  ]);
});

it('refusals of objects of other names are one finding', () => {
  const refusal = (name: string) => `Pod "${name}" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers`;
  expect(normalizedForms(refusal('a'), [])).toEqual(normalizedForms(refusal('x\\"1'), []));
  expect(normalizedForms(refusal('a'), [])).not.toEqual(normalizedForms('Pod "a" is invalid: spec.containers: Required value', []));
});
