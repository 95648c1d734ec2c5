import { expect, test } from 'vitest';
import { applyMergePatch } from '../../../src/apiserver/patches/merge-patch.js';
import { PatchError } from '../../../src/apiserver/patches/patch-error.js';

test.each([
  ['null deletes', '{"a":1,"b":2}', '{"a":null}', '{"b":2}'],
  ['objects merge and come out sorted', '{"o":{"z":1,"a":1.0}}', '{"o":{"m":2}}', '{"o":{"a":1.0,"m":2,"z":1}}'],
  ['what is not touched keeps its text', '{"o": {"z":1, "a":"<"}}', '{"b":1}', '{"b":1,"o":{"z":1,"a":"\\u003c"}}'],
  ['new values lose their nulls, in lists too', '{}', '{"o":{"n":null,"l":[null,{"n":null}]}}', '{"o":{"l":[null,{}]}}'],
  ['lists are replaced', '{"l":[1,2]}', '{"l":[3]}', '{"l":[3]}'],
  ['an array takes the place of the document', '{"l":[1,2]}', '[1]', '[1]'],
])('in a merge patch %s', (_title, document, patch, result) => {
  expect(applyMergePatch(document, patch)).toBe(result);
});

test.each([
  ['null', '{}', 'Invalid JSON Document'],
  ['{', '', 'Invalid JSON Document'],
  ['{}', '', 'Invalid JSON Patch'],
  ['{}', '1', 'Invalid JSON Patch'],
])('the document %j with the patch %j is refused', (document, patch, message) => {
  expect(() => applyMergePatch(document, patch)).toThrow(new PatchError(message));
});
