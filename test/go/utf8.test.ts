import { describe, expect, test } from 'vitest';
import { decodeGoUtf8, decodeUtf8Bytes, encodeUtf8Bytes } from '../../src/go/utf8.js';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('decodeGoUtf8', () => {
  test.each([
    ['61c3a9f09f9880', 'aé😀'],
    ['efbbbf61', '\ufeffa'],
    ['61ff62', 'a\ufffdb'],
    ['e697', '\ufffd\ufffd'],
    ['c0af', '\ufffd\ufffd'],
    ['e08080', '\ufffd\ufffd\ufffd'],
    ['eda080', '\ufffd\ufffd\ufffd'],
    ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
    ['efbfbd', '\ufffd'],
    ['f09f9861', '\ufffd\ufffd\ufffda'],
  ])('reads %s with one U+FFFD for each invalid byte', (hex, text) => {
    expect(decodeGoUtf8(bytes(hex))).toBe(text);
  });
});

test.each(['', '61', 'c3a9', 'ff80fe', '61e69762', 'f09f98', 'eda080', 'efbbbf'])('bytes %s survive as text', hex => {
  expect(Buffer.from(encodeUtf8Bytes(decodeUtf8Bytes(bytes(hex)))).toString('hex')).toBe(hex);
});

test('a lone surrogate that is not a byte is written as U+FFFD', () => {
  expect(Buffer.from(encodeUtf8Bytes('a\ud83d\udcff😀')).toString('hex')).toBe('61f09f93bff09f9880');
  expect(Buffer.from(encodeUtf8Bytes('a\ud83db\udc00')).toString('hex')).toBe('61efbfbd62efbfbd');
});
