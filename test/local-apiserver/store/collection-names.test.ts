import { expect, test } from 'vitest';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { newCollectionNames } from '../../../src/local-apiserver/store/collection-names.js';

const kind = { group: 'example.com', kind: 'Widget' };

function definition(plural: string): ValueMap {
  const names = { plural, kind: kind.kind };
  return toValue({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: { group: kind.group, names },
    status: { acceptedNames: names },
  }) as ValueMap;
}

test('names that were asked for before follow the definitions', () => {
  const names = newCollectionNames();
  expect(names.nameOf(kind)).toBe('example.com/Widget');
  names.follow(definition('widgets'), undefined);
  expect(names.nameOf(kind)).toBe('example.com/widgets');
  names.follow(undefined, definition('widgets'));
  expect(names.nameOf(kind)).toBe('example.com/Widget');
});

test('kinds of one name in many groups have collections of their own', () => {
  const names = newCollectionNames();
  const groups = Array.from({ length: 3000 }, (_, index) => `group-${index}`);
  for (const group of [...groups, ...groups]) expect(names.nameOf({ group, kind: 'Widget' })).toBe(`${group}/Widget`);
  expect(names.nameOf({ group: 'events.k8s.io', kind: 'Event' })).toBe('/Event');
});
