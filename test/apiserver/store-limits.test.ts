import { describe, expect, it } from 'vitest';
import { checkStoredSize } from '../../src/apiserver/store-limits.js';
import { writeValue } from '../../src/encoding/go-json.js';
import { resourcesOfDefinition } from '../../src/kubernetes/definition-resources.js';
import { isMap, toValue, type ValueMap } from '../../src/kubernetes/value.js';

function map(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}

const [things] = resourcesOfDefinition(
  map({
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true }],
    },
  }),
);

/** What storing an object of so many bytes, the line feed behind it included, is answered. */
function storing(bytes: number, namespace: string, name: string): string {
  const object = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name, namespace }, x: '' };
  const room = bytes - 1 - writeValue(map(object), 'sorted').length;
  try {
    if (things !== undefined) checkStoredSize(map({ ...object, x: 'x'.repeat(room) }), things);
    return 'stored';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('etcd takes so much, measured at a real one (P43)', () => {
  it.each([
    [1_572_755, 'team', 'a', 'stored'],
    [1_572_756, 'team', 'a', 'etcdserver: request is too large'],
    [1_572_695, 'team-with-a-longer-name', 'another-name', 'stored'],
    [1_572_696, 'team-with-a-longer-name', 'another-name', 'etcdserver: request is too large'],
    [2_090_200, 'team', 'a', 'etcdserver: request is too large'],
    [2_100_200, 'team', 'a', 'rpc error: code = ResourceExhausted desc = trying to send message larger than max (2100295 vs. 2097152)'],
  ])('%d bytes of %s/%s', (bytes, namespace, name, answer) => {
    expect(storing(bytes, namespace, name)).toBe(answer);
  });
});
