import { expect, test } from 'vitest';
import { quote } from '../../src/encoding/go-quote.js';

test.each([
  ['', '""'],
  ['a "b" \\c', '"a \\"b\\" \\\\c"'],
  ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\u0000\u001b\u007f\u0080\u00a0\u200b', '"\\x00\\x1b\\x7f\\u0080\\u00a0\\u200b"'],
  ['é世🙂<&>', '"é世🙂<&>"'],
  ['\u{e0001}', '"\\U000e0001"'],
])('quote writes %j as Go does', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
