import { expect, test } from 'vitest';
import { findRfcDeviation } from '../../../src/apiserver/patches/rfc-deviations.js';

const lenient = "relies on the API server's leniency: operation";

test.each([
  ['{"a":{}}', '[{"op":"replace","path":"/a/x","value":1}]', `${lenient} 1 (replace "/a/x"): by RFC 6902 what the path names must exist`],
  [
    '{"l":[1]}',
    '[{"op":"test","path":"/l/0","value":1},{"op":"add","path":"/l/-1","value":2}]',
    `${lenient} 2 (add "/l/-1"): by RFC 6902 an index is digits without a sign`,
  ],
  ['{}', '[{"op":"copy","from":"/a","path":"/b"}]', `${lenient} 1 (copy "/b"): by RFC 6902 what "from" names must exist`],
  ['{}', '[{"op":"add","path":"/a"}]', `${lenient} 1 (add "/a"): by RFC 6902 the operation needs a "value"`],
  ['{}', '[{"op":"add","path":"x/a","value":1}]', `${lenient} 1 (add "x/a"): by RFC 6902 a pointer begins with a slash`],
  ['{"a":1}', '[{"op":"copy","from":"a/a","path":"/b"}]', `${lenient} 1 (copy "/b"): by RFC 6902 a pointer begins with a slash`],
  ['{}', '[{"op":"test","path":"/a","value":null}]', `${lenient} 1 (test "/a"): by RFC 6902 the test fails`],
])('on %s the patch %s is lenient', async (document, patch, sentence) => {
  expect(await findRfcDeviation(document, patch)).toBe(sentence);
});

test.each([
  'null',
  '[]',
  '[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/a"}]',
  '[{"op":"add","path":"/__proto__","value":1}]',
])('of %s has no problems', async patch => {
  expect(await findRfcDeviation('{}', patch)).toBeUndefined();
});
