import { expect, it } from 'vitest';
import { applyJsonPatch, decodeJsonPatch } from '../../src/apiserver/patches/json-patch.js';
import { applyMergePatch } from '../../src/apiserver/patches/merge-patch.js';
import { jsonPatchBetween, mergePatchBetween } from '../../src/encoding/patches-between.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { writeValue } from '../../src/go/json/write.js';
import { isMap, type ValueMap } from '../../src/go/value.js';

const pairs: readonly (readonly [from: string, to: string, operations: readonly string[]])[] = [
  ['{"a":1}', '{"a":1}', []],
  ['{"a":1,"b":2}', '{"a":3}', ['replace /a', 'remove /b']],
  ['{"a":{"b/c":{"d~e":1}}}', '{"a":{"b/c":{"d~e":2}}}', ['replace /a/b~1c/d~0e']],
  ['{"list":[{"a":1},{"a":2}]}', '{"list":[{"a":1},{"a":2,"b":3}]}', ['add /list/1/b']],
  ['{"list":[1]}', '{"list":[1,2]}', ['replace /list']],
  ['{"a":{}}', '{"a":{"b":1}}', ['add /a']],
  ['{"a":{}}', '{"a":{}}', []],
  ['{"big":9007199254740993}', '{"big":9007199254740992}', ['replace /big']],
];

function objectOf(text: string): ValueMap {
  const value = readUnstructured(text);
  if (!isMap(value)) throw new Error(`${text} is not an object`);
  return value;
}

it.each(pairs)('leads from %s to %s', (from, to, operations) => {
  const patch = jsonPatchBetween(objectOf(from), objectOf(to));
  expect(patch.map(operation => (isMap(operation) ? `${operation.get('op')} ${operation.get('path')}` : ''))).toEqual(operations);
  expect(objectOf(applyJsonPatch(from, decodeJsonPatch(writeValue(patch, 'kept'))))).toEqual(objectOf(to));
  expect(objectOf(applyMergePatch(from, writeValue(mergePatchBetween(objectOf(from), objectOf(to)), 'kept')))).toEqual(objectOf(to));
});
