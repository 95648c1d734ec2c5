import { describe, expect, test } from 'vitest';
import { readManifests } from '../../src/encoding/yaml-stream.js';

const read = (text: string, encoding: BufferEncoding = 'utf8') => readManifests(Buffer.from(text, encoding));

const manifest = `# first
kind: Pod
metadata: &m
  labels: {app: é, "a/b": x}
---
~
--- # third
kind: List
items:
- <<: *none
`;

describe('readManifests', () => {
  test('reads the documents before an error, with its position', () => {
    const { documents, error } = read(manifest);
    expect(documents.map(({ json, line }) => ({ json, line }))).toEqual([
      { json: '{"kind":"Pod","metadata":{"labels":{"a/b":"x","app":"é"}}}', line: 1 },
    ]);
    expect(error).toEqual({
      message: "error converting YAML to JSON: yaml: unknown anchor 'none' referenced",
      position: { line: 10, column: 7 },
    });
  });

  test.each([
    ['', { line: 2, column: 1 }],
    ['/metadata', { line: 3, column: 1 }],
    ['/metadata/labels/app', { line: 4, column: 12 }],
    ['/metadata/labels/a~1b', { line: 4, column: 20 }],
    ['/metadata/labels/none/x', { line: 4, column: 3 }],
    ['/spec', { line: 2, column: 1 }],
  ])('finds %s', (pointer, position) => {
    expect(read(manifest).documents[0]?.positionOf(pointer)).toEqual(position);
  });

  test('follows aliases and merge keys, and the last of duplicate keys', () => {
    const [document] = read('a: &x\n  k: 1\nb: *x\nc:\n  <<: [*x, {k: 2}]\n  "5": y\n  5: z\n').documents;
    const places = ['/b/k', '/c/k', '/c/5'].map(pointer => document?.positionOf(pointer));
    expect(places).toEqual([
      { line: 2, column: 3 },
      { line: 2, column: 3 },
      { line: 7, column: 3 },
    ]);
  });

  test('finds positions after CRLF, in later documents and in JSON', () => {
    const crlf = read('a: 1\r\n---\r\nb:\r\n- x\r\n- y\r\n').documents[1];
    expect([crlf?.line, crlf?.positionOf('/b/1')]).toEqual([3, { line: 5, column: 3 }]);
    const json = read('{"a": 1}\n{\n "b": ["é", {"c": 2}]\n}\n').documents[1];
    expect([json?.line, json?.json, json?.positionOf('/b/1/c'), json?.positionOf('/b/1')]).toEqual([
      2,
      '{\n "b": ["é", {"c": 2}]\n}',
      { line: 3, column: 14 },
      { line: 3, column: 13 },
    ]);
  });

  test('reports duplicate keys', () => {
    expect(read('a: 1\n---\nb:\n  c: 1\n  c: 2\n').documents[1]?.repeatedKeys()).toEqual([
      { message: 'key "c" already set in map', position: { line: 5, column: 6 } },
    ]);
    expect(read('{"b":{"c":1,"c":2}}').documents[0]?.repeatedKeys()).toEqual([{ message: 'duplicate field "b.c"', position: undefined }]);
  });

  test.each([
    ['{"a":1} x', "json: offset 9: invalid character 'x' looking for beginning of value", { line: 1, column: 9 }],
    ['{"a":1}\n{"b":2}\n{"c"', 'unexpected EOF', { line: 3, column: 5 }],
    ['a: 1\n--- b: 2\n', 'invalid Yaml document separator: b: 2', { line: 2, column: 1 }],
    ['a: 1\n---\nb: [\n', 'error converting YAML to JSON: yaml: line 1: did not find expected node content', { line: 4, column: 1 }],
  ])('stops in %j', (text, message, position) => {
    expect(read(text).error).toEqual({ message, position });
  });

  test('continues as YAML after JSON', () => {
    expect(read('{"a":1}\n---\nb: 2\n').documents.map(d => d.json)).toEqual(['{"a":1}', '{"b":2}']);
  });

  test('reads UTF-16 after a byte order mark, with U+FFFD for invalid bytes', () => {
    expect(read('\ufeffa: é\n', 'utf16le').documents[0]?.json).toBe('{"a":"é"}');
    expect(read('a: caf\xe9\n', 'latin1').documents[0]?.json).toBe('{"a":"caf\ufffd"}');
  });

  test('loses a last line without a line feed that fills a portion, as kubectl does', () => {
    expect(read(`a: 1\nb: ${'x'.repeat(4093)}`).documents[0]?.json).toBe('{"a":1}');
    expect(read(`a: 1\nb: ${'x'.repeat(4092)}`).documents[0]?.json).toContain('"b":"xxx');
  });
});
