import { describe, expect, test } from 'vitest';
import { fromUnstructured } from '../../../src/apiserver/patches/from-unstructured.js';
import { PatchPanic } from '../../../src/apiserver/patches/lazy-node.js';
import { PatchDecodeError } from '../../../src/apiserver/patches/patch-error.js';
import { decodeStrategicPatch, strategicMerge } from '../../../src/apiserver/patches/strategic-merge.js';
import { writeValue } from '../../../src/go/json/write.js';
import { isMap, toValue, type ValueMap } from '../../../src/go/value.js';
import { structNamed } from '../../../src/kubernetes/type-table.js';
import { server } from '../../support/server.js';

const podSpec = structNamed(server, 'core/v1.PodSpec');

function object(data: object): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('no object');
  return value;
}

const merged = (original: object, patch: object) => writeValue(strategicMerge(object(original), object(patch), podSpec), 'sorted');

describe('strategicMerge', () => {
  test.each([
    [
      'merges items by their key',
      { containers: [{ name: 'a', image: 'x' }] },
      { containers: [{ name: 'a', tty: true }] },
      '{"containers":[{"image":"x","name":"a","tty":true}]}',
    ],
    [
      'puts new items before those only the server has',
      { containers: [{ name: 'c' }] },
      { containers: [{ name: 'n' }] },
      '{"containers":[{"name":"n"},{"name":"c"}]}',
    ],
    ['replaces lists without a key', { tolerations: [{ key: 'a' }] }, { tolerations: [] }, '{"tolerations":[]}'],
    [
      'deletes an item',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      '{"containers":[{"name":"b"}]}',
    ],
    [
      'replaces a whole list',
      { containers: [{ name: 'a' }] },
      { containers: [{ name: 'b' }, { $patch: 'replace' }] },
      '{"containers":[{"name":"b"}]}',
    ],
    [
      'keeps only the listed members',
      { volumes: [{ name: 'v', hostPath: {} }] },
      { volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name', 'emptyDir'] }] },
      '{"volumes":[{"emptyDir":{},"name":"v"}]}',
    ],
    [
      'obeys an order of items',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
      '{"containers":[{"name":"b"},{"name":"a"}]}',
    ],
    ['deletes a member', { nodeName: 'n', hostname: 'h' }, { nodeName: null }, '{"hostname":"h"}'],
  ])('%s', (_title, original, patch, result) => {
    expect(merged(original, patch)).toBe(result);
  });

  test.each([
    [{ containers: [{ image: 'x' }] }, 'map: map[image:x] does not contain declared merge key: name'],
    [{ containers: [{ name: 'c', $patch: 1 }] }, 'unknown patch type: %!s(int64=1) in map: map[$patch:1 name:c]'],
    [
      { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b' }] },
      "The order in patch list:\n[map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
    ],
    [{ $retainKeys: 1 }, 'invalid patch format of retainKeys'],
  ])('refuses %j', (patch, message) => {
    expect(() => merged({ containers: [{ name: 'c' }] }, patch)).toThrow(message);
  });

  test('panics at an item that is null', () => {
    expect(() => merged({ containers: [] }, { containers: [null] })).toThrow(PatchPanic);
  });
});

test('decodeStrategicPatch tells what strict validation refuses', () => {
  expect(decodeStrategicPatch('{"a":1,"a":2}')).toEqual({ patch: new Map([['a', 2n]]), strictErrors: ['duplicate field "a"'] });
  expect(() => decodeStrategicPatch('[]')).toThrow(
    new PatchDecodeError('json: cannot unmarshal array into Go value of type map[string]interface {}'),
  );
});

describe('fromUnstructured', () => {
  test('accepts values that the JSON decoder rejects, and lists unknown fields', () => {
    const restored = fromUnstructured(
      object({ zz: 1, priority: 2.0, activeDeadlineSeconds: 3, containers: [{ name: 'a', y: 1 }] }),
      podSpec,
    );
    expect(restored.unknownFields).toEqual(['unknown field "containers[0].y"', 'unknown field "zz"']);
    expect(writeValue(restored.value, 'kept')).toBe('{"containers":[{"name":"a"}],"activeDeadlineSeconds":3,"priority":2}');
  });

  test.each([
    [{ containers: 'x' }, 'cannot restore slice from string'],
    [{ securityContext: [] }, 'cannot restore struct from: slice'],
    [{ nodeSelector: 1 }, 'cannot restore map from int64'],
    [{ nodeName: 1 }, 'cannot convert int64 to string'],
    [{ priority: {} }, 'unrecognized type: int32'],
    [{ priority: 1.5 }, 'cannot convert float64 to int32'],
  ])('refuses %j', (value, message) => {
    expect(() => fromUnstructured(object(value), podSpec)).toThrow(message);
  });
});
