import { expect, test } from 'vitest';
import { decodeGoBase64 } from '../../src/go/base64.js';

test.each([
  ['', ''],
  ['aGk=', 'hi'],
  ['aG\r\nk\n=\n', 'hi'],
  ['aGl=', 'hi'],
  ['aGlo', 'hih'],
])('%j holds %j', (text, bytes) => {
  expect(Buffer.from(decodeGoBase64(text)).toString()).toBe(bytes);
});

test.each([
  ['%%%', 0],
  ['aGk', 0],
  ['aGloa', 4],
  ['aGk=x', 4],
  ['a=', 1],
  ['ag=', 3],
  ['ag=a', 2],
  ['aG-_', 2],
  ['éaGk', 0],
  ['ab\u2028', 2],
])('rejects %j at byte %d', (text, offset) => {
  expect(() => decodeGoBase64(text)).toThrow(`illegal base64 data at input byte ${offset}`);
});
