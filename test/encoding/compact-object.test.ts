import { expect, it } from 'vitest';
import { CompactObject, storedResourceVersion, storeKeyOf } from '../../src/encoding/compact-object.js';
import { copyOf, sameValue, toValue, type ValueMap } from '../../src/go/value.js';

const members = (): ValueMap =>
  toValue({ kind: 'Pod', metadata: { name: 'é', labels: { 10: 'a', 9: '' } }, spec: [1, null, true, { a: {} }] }) as ValueMap;

it('a compact object is the same object as its tree, and becomes a tree when it is read', () => {
  const expanded: CompactObject[] = [];
  const object = new CompactObject(members(), one => expanded.push(one));
  expect(object.text).toBeUndefined();
  expect(object.compact()).toBe(true);
  expect(object.text).toBe('{"kind":"Pod","metadata":{"name":"é","labels":{"9":"","10":"a"}},"spec":[1,null,true,{"a":{}}]}');
  expect(expanded).toEqual([]);
  expect(sameValue(object, members())).toBe(true);
  expect(sameValue(copyOf(object), members())).toBe(true);
  expect([...object.keys()]).toEqual(['kind', 'metadata', 'spec']);
  expect([object.size, object.has('spec'), object.has('status'), object.isCompact]).toEqual([3, true, false, false]);
  expect(expanded).toEqual([object]);
});

it('the type and the version of a compact object are known without its tree', () => {
  const metadata = { name: 'a', resourceVersion: '7' };
  const object = new CompactObject(toValue({ kind: 'Pod', apiVersion: 'v1', metadata }) as ValueMap, () => undefined);
  object.compact();
  expect([object.get('kind'), object.get('apiVersion'), object.identity.resourceVersion, object.isCompact]).toEqual([
    'Pod',
    'v1',
    '7',
    true,
  ]);
  expect(object.get('metadata')).toEqual(toValue(metadata));
  expect(object.isCompact).toBe(false);
});

it('a stored object cannot be changed', () => {
  const object = new CompactObject(members(), () => undefined);
  expect(() => object.set()).toThrow('a stored object is not changed');
  expect(() => object.delete()).toThrow('a stored object is not changed');
  expect(() => object.clear()).toThrow('a stored object is not changed');
});

/** Raw JSON and whole float64 values would be read as other values. */
it.each([
  ['raw JSON', { rawJson: '{"a":1}' }],
  ['a float64', 1.0],
])('an object with %s stays a tree', (_, value) => {
  const object = new CompactObject(new Map([['a', value]]), () => undefined);
  expect(object.compact()).toBe(false);
  expect(object.isCompact).toBe(false);
});

it('an object has the same weight as a tree and as a text', () => {
  const object = new CompactObject(members(), () => undefined);
  const { weight } = object;
  object.compact();
  expect(object.weight).toBe(weight);
});

it('a compact object is copied without becoming a tree', () => {
  const object = new CompactObject(members(), () => undefined);
  object.compact();
  expect(object.toMap()).toEqual(members());
  expect(object.isCompact).toBe(true);
});

it('an object of a text is compact until its other members are read', () => {
  const text = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","resourceVersion":"7"}}';
  const expanded: CompactObject[] = [];
  const identity = { kind: 'Pod', apiVersion: 'v1', key: 'b/a', resourceVersion: '7' };
  const object = CompactObject.ofText(text, identity, one => expanded.push(one));
  expect([object.get('kind'), storeKeyOf(object), storedResourceVersion(object), object.text]).toEqual(['Pod', 'b/a', '7', text]);
  expect([object.isCompact, object.isUsed, object.weight, expanded]).toEqual([true, false, text.length, []]);
  expect(object.get('metadata')).toEqual(toValue({ name: 'a', namespace: 'b', resourceVersion: '7' }));
  expect([object.isCompact, object.isUsed, expanded]).toEqual([false, true, [object]]);
  expect([object.compact(), object.text]).toEqual([true, text]);
});
