import { expect, test } from 'vitest';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { semanticallyEqual } from '../../../src/apiserver/objects/semantic-equality.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { server } from '../../support/server.js';

function equal(a: string, b: string): boolean {
  const [left, right] = [a, b].map(members => decodeDocument(server, `{"apiVersion":"v1","kind":"Pod",${members}}`));
  if (left === undefined || right === undefined) throw new Error('two documents');
  return semanticallyEqual(server, left.value, right.value, left.codec);
}

test.each([
  ['"metadata":{"labels":{}}', '"metadata":{}'],
  ['"spec":{"containers":[]}', '"spec":{}'],
  ['"spec":{"hostNetwork":false}', '"metadata":{}'],
  ['"spec":{"overhead":{"cpu":"1000m"}}', '"spec":{"overhead":{"cpu":1}}'],
  ['"metadata":{"creationTimestamp":"2024-01-02T03:04:05Z"}', '"metadata":{"creationTimestamp":"2024-01-02T04:04:05+01:00"}'],
  ['"metadata":{"managedFields":[]},"x":1', '"metadata":{}'],
])('%s equals %s', (a, b) => {
  expect(equal(a, b)).toBe(true);
  expect(equal(b, a)).toBe(true);
});

test.each([
  ['"spec":{"automountServiceAccountToken":false}', '"spec":{}'],
  ['"spec":{"securityContext":{}}', '"spec":{}'],
  ['"spec":{"containers":[{}]}', '"spec":{}'],
  ['"spec":{"overhead":{"cpu":"0"}}', '"spec":{"overhead":{}}'],
  ['"spec":{"containers":[{"name":"a"},{"name":"b"}]}', '"spec":{"containers":[{"name":"b"},{"name":"a"}]}'],
])('%s does not equal %s', (a, b) => {
  expect(equal(a, b)).toBe(false);
  expect(equal(b, a)).toBe(false);
});

test('custom resources are equal only if they are written the same', () => {
  const codec = { kind: { group: 'example.com', version: 'v1', kind: 'Widget' } };
  const value = (data: unknown): ValueMap => new Map([['spec', toValue(data)]]);
  expect(semanticallyEqual(server, value({ a: 1, b: [] }), value({ b: [], a: 1 }), codec)).toBe(true);
  expect(semanticallyEqual(server, value({ a: 1 }), value({ a: 1, b: [] }), codec)).toBe(false);
  expect(semanticallyEqual(server, new Map([['a', 1n]]), new Map([['a', 1]]), codec)).toBe(false);
});
