import { describe, expect, test } from 'vitest';
import { removeItems } from '../../../../src/apiserver/patches/managed-fields/prune.js';
import { compareTyped } from '../../../../src/apiserver/patches/structured-merge/compare.js';
import { atomOfDefinition } from '../../../../src/apiserver/patches/structured-merge/definition-atom.js';
import { excluding } from '../../../../src/apiserver/patches/structured-merge/field-filter.js';
import { difference, fieldSet, pathOfElement, recursiveDifference } from '../../../../src/apiserver/patches/structured-merge/field-set.js';
import { FieldsError, readFields, writeFields } from '../../../../src/apiserver/patches/structured-merge/fields-v1.js';
import { mergeTyped } from '../../../../src/apiserver/patches/structured-merge/merge.js';
import { reconcileWithType } from '../../../../src/apiserver/patches/structured-merge/reconcile.js';
import { atomOfSchema } from '../../../../src/apiserver/patches/structured-merge/schema-atom.js';
import { toFieldSet } from '../../../../src/apiserver/patches/structured-merge/to-field-set.js';
import { validateTyped } from '../../../../src/apiserver/patches/structured-merge/validate.js';
import { writeValue } from '../../../../src/go/json/write.js';
import { isMap, toValue } from '../../../../src/go/value.js';
import { structNamed } from '../../../../src/kubernetes/type-table.js';
import { server } from '../../../support/server.js';

const podSpec = atomOfSchema(structNamed(server, 'core/v1.PodSpec'));

function definition(schema: object) {
  const value = toValue(schema);
  return atomOfDefinition(server, isMap(value) ? value : undefined);
}

describe('fieldsV1', () => {
  test.each([
    '{}',
    '{"f:a":{}}',
    '{"f:a":{".":{},"f:b":{}}}',
    '{"f:l":{".":{},"k:{\\"name\\":\\"a\\",\\"port\\":80}":{".":{},"f:x":{}},"v:1":{},"v:\\"s\\"":{},"i:2":{}}}',
  ])('%s is read and written again', text => {
    expect(writeFields(readFields(text))).toBe(text);
  });

  test("rejects other keys with the reader's message", () => {
    const message =
      'parsing key as path element: missing colon: rubbish, error found in #10 byte of ...|"rubbish":1}|..., bigger context ...|{"rubbish":1}|...';
    expect(() => readFields('{"rubbish":1}')).toThrow(new FieldsError(message));
  });
});

describe('sets of paths', () => {
  const all = fieldSet(pathOfElement('a'), pathOfElement('a', 'b'), pathOfElement('c', 'd'));

  test('a difference removes a path, but not the paths below it', () => {
    expect(writeFields(difference(all, fieldSet(pathOfElement('a'))))).toBe('{"f:a":{"f:b":{}},"f:c":{"f:d":{}}}');
    expect(writeFields(recursiveDifference(all, fieldSet(pathOfElement('a'))))).toBe('{"f:c":{"f:d":{}}}');
  });

  test('a filter removes its paths and everything below them', () => {
    expect(writeFields(excluding(pathOfElement('c'))(all))).toBe('{"f:a":{".":{},"f:b":{}}}');
  });
});

describe('typed values', () => {
  const containers = (...items: object[]) => toValue({ containers: items });

  test('compares items by their keys', () => {
    const comparison = compareTyped(
      containers({ name: 'a', image: 'x' }, { name: 'b' }),
      containers({ name: 'a', image: 'y' }, { name: 'c' }),
      podSpec,
    );
    expect(writeFields(comparison.modified)).toBe('{"f:containers":{"k:{\\"name\\":\\"a\\"}":{"f:image":{}}}}');
    expect(writeFields(comparison.added)).toBe('{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{}}}}');
    expect(writeFields(comparison.removed)).toBe('{"f:containers":{"k:{\\"name\\":\\"b\\"}":{".":{},"f:name":{}}}}');
  });

  test('a set contains leaves and items; atomic values are one leaf', () => {
    const value = toValue({ nodeSelector: { a: 'b' }, containers: [{ name: 'c', ports: [{ containerPort: 80 }] }] });
    const ports = '"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}';
    expect(writeFields(toFieldSet(value, podSpec))).toBe(
      `{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{},"f:ports":{${ports}}}},"f:nodeSelector":{}}`,
    );
  });

  test('merge keeps items that only the left has, in the order of the right', () => {
    const merged = mergeTyped(
      containers({ name: 'a' }, { name: 'b', image: 'x' }),
      containers({ name: 'c' }, { name: 'b', tty: true }),
      podSpec,
    );
    expect(writeValue(merged, 'sorted')).toBe('{"containers":[{"name":"a"},{"name":"c"},{"image":"x","name":"b","tty":true}]}');
  });

  test('items are removed by their keys', () => {
    const set = readFields('{"f:containers":{"k:{\\"name\\":\\"a\\"}":{}}}');
    expect(writeValue(removeItems(containers({ name: 'a' }, { name: 'b' }), set, podSpec), 'sorted')).toBe('{"containers":[{"name":"b"}]}');
  });

  test('owners of a part of a leaf own the leaf', () => {
    expect(writeFields(reconcileWithType(fieldSet(pathOfElement('nodeSelector', 'a')), podSpec))).toBe('{"f:nodeSelector":{}}');
  });

  test.each([
    [{ zz: 1 }, '.zz: field not declared in schema'],
    [{ nodeName: 5 }, '.nodeName: expected string, got &value.valueUnstructured{Value:5}'],
    [{ containers: { a: 1 } }, '.containers: expected list, got &{map[a:1]}'],
    [
      { hostNetwork: 'x', priority: 'y' },
      'errors:\n  .hostNetwork: expected boolean, got &{x}\n  .priority: expected numeric (int or float), got string',
    ],
    [{ containers: [{ name: 'a' }, { name: 'a' }] }, '.containers: duplicate entries for key [name="a"]'],
  ])('%j does not fit', (value, message) => {
    expect(() => validateTyped(toValue(value), podSpec, 'no duplicates')).toThrow(message);
  });
});

test('the types of custom resources follow their definition', () => {
  const type = definition({
    type: 'object',
    properties: {
      map: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', properties: { k: { type: 'string' } } },
      },
      list: { type: 'array', items: { type: 'string' } },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  });
  const value = toValue({ metadata: { labels: { a: 'b' } }, map: [{ k: 'x' }], list: ['y'], any: { deep: { l: [1] } } });
  expect(writeFields(toFieldSet(value, type))).toBe(
    '{"f:any":{"f:deep":{".":{},"f:l":{}}},"f:list":{},"f:map":{"k:{\\"k\\":\\"x\\"}":{".":{},"f:k":{}}},"f:metadata":{"f:labels":{"f:a":{}}}}',
  );
});
