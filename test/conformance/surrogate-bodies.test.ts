import { expect, it } from 'vitest';
import { restoreSurrogates } from '../../src/conformance/case-file.js';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { isMap, mapAt, type Value } from '../../src/go/value.js';

function bodyOf(text: string): Value | undefined {
  const document = readUnstructured(`{"cases":[{"call":{"body":${text}}}]}`);
  if (!isMap(document)) throw new Error('no document');
  restoreSurrogates(document, `{"cases":[{"call":{"body":${text}}}]}`);
  const call = mapAt(document, 'cases', 0, 'call');
  const base64 = call?.get('bodyBase64');
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString('latin1') : call?.get('body');
}

it('a lone surrogate in a recorded body was sent as three bytes', () => {
  expect(bodyOf('"a\\ud83db\\udc80"')).toBe('a\xed\xa0\xbdb\xed\xb2\x80');
  expect(bodyOf('"\\ud83d\\ude00 \\ud83d"')).toBe('\xf0\x9f\x98\x80 \xed\xa0\xbd');
});

it('a surrogate pair is one character', () => {
  expect(bodyOf('"\\ud83d\\ude00"')).toBe('😀');
});
