import { expect, it } from 'vitest';
import { formats } from '../../src/reports/formats.js';
import { paletteOf } from '../../src/reports/palette.js';
import { call } from './suites/example-run.js';

// Bodies are searched for secrets when they are read, which takes longer than the rest of the report.
it('reads no bodies for the text report', () => {
  const read: string[] = [];
  const webhooks = call.report.webhooks.map(entry => {
    const watched = { ...entry, change: { before: '{"a":"x"}', after: '{"a":"y"}' } };
    return Object.defineProperty(watched, 'requestBody', { enumerable: true, get: () => read.push(entry.webhook) });
  });
  const options = { palette: paletteOf(0), withExchange: false };
  expect(
    formats.text([{ ...call, command: undefined, findings: [], exchanges: [], report: { ...call.report, webhooks } }], options),
  ).toContain(`changes by ${webhooks[0]?.webhook}:`);
  expect(read).toEqual([]);
});
