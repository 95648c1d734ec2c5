import { expect, it } from 'vitest';
import { outputTail } from '../../../src/suites/process/output-tail.js';

it('keeps the last 65,536 characters of a process, and shows 200 lines of them', () => {
  const tail = outputTail();
  const write = tail.stream();
  for (let i = 0; i < 100_000; i += 1) write(Buffer.from(`line ${i}\n`));
  const start = tail.written();
  expect(tail.lines()).toHaveLength(200);
  expect(tail.lines().at(-1)).toBe('line 99999');
  write(Buffer.from(`${'a'.repeat(1_000_000)}\nlast\n`));
  const [first = '', last] = tail.since(start);
  expect([first.length, last]).toEqual([65_536 - '\nlast\n'.length, 'last']);
  expect(tail.lines().join('\n').length).toBeLessThanOrEqual(65_536);
});

it('keeps a character that is in two chunks', () => {
  const tail = outputTail();
  const write = tail.stream();
  const bytes = Buffer.from('é\n');
  write(bytes.subarray(0, 1));
  write(bytes.subarray(1));
  expect(tail.lines()).toEqual(['é']);
});
