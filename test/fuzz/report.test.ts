import { expect, it } from 'vitest';
import { fuzzReport } from '../../src/fuzz/run/report.js';
import { searched } from './searched.js';

it('writes numbers of manifests exactly that JavaScript does not have', async () => {
  const seconds = '9223372036854775807';
  const { run } = await searched(
    'validating',
    ({ object }) => (JSON.stringify(object).includes('"terminationGracePeriodSeconds":9223372036854776000') ? { statusCode: 500 } : {}),
    { checks: ['crash'], runs: 100 },
  );
  const context = {
    seed: 1,
    durationMs: 1,
    flags: [],
    convertFlags: [],
    search: [],
    exec: undefined,
    suite: undefined,
    others: { findings: [], calls: 0 },
  };
  const { json } = fuzzReport(run, context);
  expect(json).toContain(`"terminationGracePeriodSeconds": ${seconds}`);
  expect(JSON.parse(json)).toMatchObject({ kind: 'FuzzReport', findings: [{ check: 'crash', manifests: [{ kind: 'Pod' }] }] });
});
