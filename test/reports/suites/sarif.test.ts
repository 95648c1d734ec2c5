import { describe, expect, it } from 'vitest';
import { sarifReport } from '../../../src/reports/suites/sarif.js';
import { eventfulRun, failed, passed, plain, runOf, snapshotFailure, suiteOf } from './example-run.js';

describe('the SARIF report', () => {
  it('has a result per failure, at the position of the expectation', () => {
    const run = runOf([suiteOf([passed('a'), failed('b', [snapshotFailure])])]);
    expect(JSON.parse(sarifReport(run, plain))).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'webhook-cli', version: '0.1.0', rules: [{ id: 'snapshot' }] } },
          invocations: [{ executionSuccessful: true, startTimeUtc: '2026-11-21T00:00:00Z' }],
          columnKind: 'unicodeCodePoints',
          results: [
            {
              ruleId: 'snapshot',
              ruleIndex: 0,
              level: 'error',
              message: {
                text: `pods: b\nsuites/pods.webhook-test.yaml:9:5: snapshot: ${snapshotFailure.message}\n${snapshotFailure.diff?.trimEnd()}`,
              },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'suites/pods.webhook-test.yaml' },
                    region: { startLine: 9, startColumn: 5 },
                  },
                },
              ],
              partialFingerprints: { 'webhookCliCase/v1': 'pods\nb\nsnapshot' },
            },
          ],
        },
      ],
    });
  });

  it('includes suites that could not run, flaky cases and obsolete snapshots', () => {
    const [run] = JSON.parse(sarifReport(eventfulRun, plain)).runs;
    expect(run.invocations[0].executionSuccessful).toBe(false);
    expect(run.results.map(({ ruleId, level }: { ruleId: string; level: string }) => `${level} ${ruleId}`)).toEqual([
      'error snapshot',
      'error message',
      'warning message',
      'error call',
      'error message',
      'error exec',
      'error obsolete',
    ]);
  });

  it('names files relative to the repository, as URIs', () => {
    const place = { file: 'a b/ü#1%.yaml' };
    const run = runOf([suiteOf([failed('a', [{ check: 'code', message: 'm', place }])])]);
    const text = sarifReport(run, { ...plain, fileInRepository: file => `suites/${file}` });
    const [result] = JSON.parse(text).runs[0].results;
    expect(result.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'suites/a%20b/%C3%BC%231%25.yaml' } });
  });
});
