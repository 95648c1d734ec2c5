import { describe, expect, it } from 'vitest';
import { quoteByteString } from '../../src/go/byte-string.js';

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

describe('bytes in quotes', () => {
  it.each([
    ['', '""'],
    [latin1('é "x"\n'), '"é \\"x\\"\\n"'],
    ['\xff\x80a', '"\\xff\\x80a"'],
    ['\xe2\x82', '"\\xe2\\x82"'],
    [latin1('\u00a0\u{1f600}'), '"\\u00a0\u{1f600}"'],
  ])('%j', (bytes, quoted) => {
    expect(quoteByteString(bytes)).toBe(quoted);
  });

  it('do not split characters at block boundaries', () => {
    for (const lead of ['', 'a', 'ab', 'abc']) {
      const text = `${lead}${'\u{1f600}é'.repeat(10_000)}`;
      expect(quoteByteString(latin1(text))).toBe(`"${text}"`);
      expect(quoteByteString(`${lead}${'\x80'.repeat(40_000)}`)).toBe(`"${lead}${'\\x80'.repeat(40_000)}"`);
    }
  });
});
