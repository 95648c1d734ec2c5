import { expect, it } from 'vitest';
import type { Input } from '../../src/fuzz/inputs/input.js';
import { manifestsOf } from '../../src/fuzz/report.js';
import { normalizedForms } from '../../src/fuzz/run/message.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';

function objectOf(data: object): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('no object');
  return value;
}

it('a finding of an apply shows the object before, and a manifest with its name', () => {
  const old = objectOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', labels: { a: 'b' } } });
  const object = objectOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} });
  const shown = manifestsOf({ object, old, operation: 'apply' } as Input);
  expect(shown).toEqual([
    { file: 'manifest.yaml', object: objectOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }) },
    { file: 'old.yaml', object: old },
  ]);
});

it('refusals of objects of other names are one finding', () => {
  const refusal = (name: string) => `Pod "${name}" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers`;
  expect(normalizedForms(refusal('a'), [])).toEqual(normalizedForms(refusal('x\\"1'), []));
  expect(normalizedForms(refusal('a'), [])).not.toEqual(normalizedForms('Pod "a" is invalid: spec.containers: Required value', []));
});
