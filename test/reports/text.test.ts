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

it.each([
  [[{ outcome: 'allowed' }], undefined],
  [[{ outcome: 'skipped' }], '# webhooks: 0 called, 1 skipped'],
  [[{ outcome: 'allowed' }, { outcome: 'skipped' }], '# webhooks: 1 called, 1 skipped'],
  [[{ outcome: 'callFailed', failurePolicy: 'Ignore' }], '# webhooks: 0 called, 0 skipped, 1 ignored after a failure'],
  [[{ outcome: 'callFailed', failurePolicy: 'Fail' }], undefined],
] as const)('ends with the numbers of webhooks when some had no effect: %j', (entries, last) => {
  const [example] = call.report.webhooks;
  const webhooks = entries.map(entry => ({
    ...example,
    skipReason: undefined,
    failure: undefined,
    ...entry,
  })) as typeof call.report.webhooks;
  const reports = [{ ...call, command: undefined, findings: [], exchanges: [], report: { ...call.report, webhooks } }];
  const text = formats.text(reports, { palette: paletteOf(0), withExchange: false });
  expect(text.split('\n').filter(line => line.startsWith('# webhooks: '))).toEqual(last === undefined ? [] : [last]);
});
