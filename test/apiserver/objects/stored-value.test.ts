import { expect, test } from 'vitest';
import { decodeDocument } from '../../../src/apiserver/objects/decode-document.js';
import { copyToStore } from '../../../src/apiserver/objects/stored-value.js';
import { server } from '../../support/server.js';

function copied(
  members: string,
  type = '"apiVersion":"v1","kind":"Pod"',
): { readonly text: string; readonly isWhole: boolean; readonly isEqual: boolean } {
  const object = decodeDocument(server, `{${type},${members}}`);
  if (object === undefined) throw new Error('a document');
  const { value, codec } = object;
  const { stored, isWhole } = copyToStore(value, codec);
  return { text: codec.encode(stored), isWhole, isEqual: codec.encode(stored) === codec.encode(value) };
}

test('a copy without empty lists and maps is whole', () => {
  expect(copied('"spec":{"containers":[{"name":"a","resources":{},"args":["x"]}],"securityContext":{}}')).toMatchObject({
    isWhole: true,
    isEqual: true,
  });
});

test.each(['"spec":{"containers":[]}', '"metadata":{"labels":{}}', '"spec":{"containers":[{"name":"a","env":[]}]}'])(
  'a copy of %s is not',
  members => {
    expect(copied(members).isWhole).toBe(false);
  },
);

test('storage leaves out empty lists', () => {
  expect(copied('"spec":{"containers":[]}').text).toContain('"containers":null');
});

test('absent bytes become empty ones', () => {
  const secret = copied('"data":{"a":null,"b":"eA=="}', '"apiVersion":"v1","kind":"Secret"');
  expect(secret.isWhole).toBe(false);
  expect(secret.text).toContain('"data":{"a":"","b":"eA=="}');
});

test('kinds that are stored as JSON are written and read, which may change them', () => {
  const type = '"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"';
  expect(copied('"spec":{"group":"example.com"}', type).isWhole).toBe(false);
});
