import { expect, it } from 'vitest';
import { foldedLines } from '../../../src/reports/suites/folded-lines.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

it('keeps a short output, and the ends of a long one', () => {
  expect(foldedLines(numbered(24))).toEqual(numbered(24));
  const folded = foldedLines(numbered(60));
  expect([folded[0], folded[11], folded[12], folded[13], folded.at(-1)]).toEqual([
    'line 1',
    'line 12',
    '... 36 lines left out',
    'line 49',
    'line 60',
  ]);
});

it('starts with the line of a panic that says what happened', () => {
  const panic = '2026/11/23 12:00:00 http: panic serving 127.0.0.1:1: runtime error: invalid memory address or nil pointer dereference';
  const folded = foldedLines([...numbered(50), panic, ...numbered(40)]);
  expect(folded.slice(0, 3)).toEqual(['... 50 lines left out', panic, 'line 1']);
});
