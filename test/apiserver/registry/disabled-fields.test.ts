import { expect, it } from 'vitest';
import { disabledFieldsOf } from '../../../src/apiserver/registry/generic/disabled-fields.js';
import { ensureMap, toValue, type ValueMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

const drop = disabledFieldsOf(server, {
  gatedFields: [
    { gates: ['NoSuchGate'], paths: ['spec.a.b.c', 'spec.a', 'spec.a.d', 'spec.items.*.x.y'] },
    { gates: ['NoOtherGate'], paths: ['spec.items.*.x.z'] },
  ],
});

it.each([
  ['a field of a longer and a shorter path', { a: { e: 1 }, f: 1 }, { f: 1 }],
  ['fields of paths with the same start', { items: [{ x: { y: 1, z: 1, v: 1 } }, { z: 1 }] }, { items: [{ x: { v: 1 } }, { z: 1 }] }],
  ['nothing else', { b: { c: 1 }, items: [{ x: {} }] }, { b: { c: 1 }, items: [{ x: {} }] }],
])('drops %s', (_, given, expected) => {
  const object: ValueMap = new Map([['spec', toValue(given)]]);
  drop?.(object, undefined);
  expect(ensureMap(object, 'spec')).toEqual(toValue(expected));
});
