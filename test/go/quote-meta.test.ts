import { expect, it } from 'vitest';
import { quoteMeta } from '../../src/go/quote-meta.js';

it('makes a pattern that matches the text alone', () => {
  const text = 'a.b*c+d?e(f)g[h]i{j}k|l^m$n\\o/p-q';
  expect(quoteMeta(text)).toBe('a\\.b\\*c\\+d\\?e\\(f\\)g\\[h\\]i\\{j\\}k\\|l\\^m\\$n\\\\o/p-q');
  expect(new RegExp(`^${quoteMeta(text)}$`).test(text)).toBe(true);
});
