import { describe, expect, test } from 'vitest';
import {
  applyJsonPatch,
  decodeJsonPatch,
  encodeJsonPatch,
  PatchDecodeError,
  PatchPanic,
} from '../../../src/apiserver/patches/json-patch.js';
import { apiServers } from '../../support/server.js';

const patched = (document: string, patch: string) => applyJsonPatch(document, decodeJsonPatch(patch));

describe('applyJsonPatch', () => {
  test.each([
    [
      'keeps the text of what it does not go into',
      '{"b": {"z":1.0,"a":"<"}, "a":1}',
      '[{"op":"add","path":"/c","value":1}]',
      '{"a":1,"b":{"z":1.0,"a":"\\u003c"},"c":1}',
    ],
    ['sorts the keys of what it goes into', '{"b":{"z":1,"a":2}}', '[{"op":"add","path":"/b/c","value":3}]', '{"b":{"a":2,"c":3,"z":1}}'],
    ['counts negative indexes from the end', '{"l":[1,2,3]}', '[{"op":"remove","path":"/l/-1"}]', '{"l":[1,2]}'],
    ['replaces a member that is not there', '{}', '[{"op":"replace","path":"/a","value":1}]', '{"a":1}'],
    ['copies a missing member as null', '{}', '[{"op":"copy","from":"/a","path":"/b"}]', '{"b":null}'],
    ['drops what stands before the first slash', '{}', '[{"op":"add","path":"x/a","value":1}]', '{"a":1}'],
  ])('%s', (_title, document, patch, result) => {
    expect(patched(document, patch)).toBe(result);
  });

  test.each([
    ['[{"op":"add","path":"/a/b"}]', 'add operation does not apply: doc is missing path: "/a/b": missing value'],
    ['[{"op":"remove","path":"/l/9"}]', "error in remove for path: '/l/9': Unable to access invalid index: 9: invalid index referenced"],
    [
      '[{"op":"add","path":"/l/x"}]',
      `error in add for path: '/l/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    ['[{"op":"test","path":"/n","value":1}]', 'testing value /n failed: test failed'],
    ['[{"op":"replace","path":"","value":null}]', 'replace operation value must be object or array: %!w(<nil>)'],
    ['[{"op":"replace","path":1}]', 'replace operation failed to decode path: json: cannot unmarshal number into Go value of type string'],
    ['[{"Op":"add"}]', 'Unexpected kind: unknown'],
  ])("rejects %s with the library's message", (patch, message) => {
    expect(() => patched('{"l":[1],"n":1.0}', patch)).toThrow(message);
  });

  test('panics where the library follows a nil pointer', () => {
    expect(() => patched('{"l":[null]}', '[{"op":"test","path":"/l","value":[null]}]')).toThrow(PatchPanic);
  });

  test('limits what copies may add over one patch', () => {
    const copies = '[{"op":"copy","from":"/a","path":"/b"},{"op":"copy","from":"/a","path":"/c"}]';
    const message = 'Unable to complete the copy, the accumulated size increase of copy is 4000004, exceeding the limit 3145728';
    expect(() => patched(`{"a":"${'x'.repeat(2000000)}"}`, copies)).toThrow(message);
  });
});

describe('decodeJsonPatch', () => {
  test.each([
    ['{}', 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['[{},true]', 'json: cannot unmarshal bool into Go value of type jsonpatch.Operation'],
    ['', 'unexpected end of JSON input'],
  ])('refuses %j', (patch, message) => {
    expect(() => decodeJsonPatch(patch)).toThrow(new PatchDecodeError(message));
  });

  test('names the index of an operation that is not an object since v1.38', () => {
    const message = 'json: cannot unmarshal string into Patch.1 of type jsonpatch.Operation';
    expect(() => decodeJsonPatch('[{},"x"]', apiServers({ minor: 'v1.38' }))).toThrow(new PatchDecodeError(message));
  });

  test('treats null as a patch without operations', () => {
    expect(decodeJsonPatch('null')).toEqual({ operations: [] });
  });
});

test('encodeJsonPatch sorts members and keeps values as sent', () => {
  const patch = '[{"value": {"z":1.0, "a":null},"path":"/a","op":"add","op":"test"},{}]';
  expect(encodeJsonPatch(decodeJsonPatch(patch))).toBe('[{"op":"test","path":"/a","value":{"z":1.0,"a":null}},{}]');
});
