import { describe, expect, it } from 'vitest';
import { baseMinor, objectInTable, readTable, sectionOf } from '../../src/kubernetes/table-file.js';

const table =
  '{"version": "v1",\n"few": {\n"a": 1\n},\n"many": {\n"a/b": {"x": "}"},\n"b": [1, 2],\n"ba": "text, and more",\n"c": null\n}}\n';

describe('sectionOf', () => {
  it('finds every member of an object, and no missing ones', () => {
    const many = sectionOf(table, 'many');
    expect(many.names()).toEqual(['a/b', 'b', 'ba', 'c']);
    expect(many.names().map(name => many.find(name))).toEqual([{ x: '}' }, [1, 2], 'text, and more', null]);
    for (const absent of ['', 'a', 'a/c', 'bb', 'd', '}', 'constructor', '"', '\n']) expect(many.find(absent)).toBeUndefined();
    expect(['', 'a', 'b'].map(name => sectionOf(table, 'few').find(name))).toEqual([undefined, 1, undefined]);
  });

  it('rejects names that are not in the table', () => {
    expect(() => sectionOf(table, 'none')).toThrow('no none in a table of Kubernetes types');
  });

  it.each([
    ['kinds.json', 'kinds'],
    ['kinds.json', 'commonKinds'],
    ['types/core-v1.json', 'types'],
    ['types/core-v1.json', 'goTypes'],
    ['types/coordination-v1.json', 'goTypes'],
  ])('reads %s as JSON does: %s', (file, name) => {
    const text = readTable(baseMinor, file) ?? '';
    const expected = JSON.parse(text)[name];
    const section = sectionOf(text, name);
    expect(section.names()).toEqual(Object.keys(expected));
    expect(Object.fromEntries(section.names().map(each => [each, section.find(each)]))).toEqual(expected);
  });
});

describe('objectOf', () => {
  it.each(['default', 'all'])('reads the resources as JSON does: %s', name => {
    const text = readTable(baseMinor, 'resources.json') ?? '';
    expect(objectInTable(text, name)).toEqual(JSON.parse(text)[name]);
  });

  it('rejects names that are not in the table', () => {
    expect(() => objectInTable(table, 'none')).toThrow('no none in a table of Kubernetes types');
  });
});
