import { describe, expect, it } from 'vitest';
import { githubReport, githubSummary } from '../../../src/reports/suites/github.js';
import { eventfulRun, failed, passed, plain, runOf, snapshotFailure, suiteOf } from './example-run.js';

describe('the workflow commands for GitHub', () => {
  it('show each failure next to its line, with the diff', () => {
    const run = runOf([suiteOf([passed('a'), failed('b: 100%, c', [snapshotFailure])])]);
    expect(githubReport(run, { ...plain, fileInRepository: file => `deploy/${file}` })).toBe(
      '::error file=deploy/suites/pods.webhook-test.yaml,line=9,col=5,title=b%3A 100%25%2C c::' +
        `snapshot: ${snapshotFailure.message}%0A--- stored%0A+++ produced%0A@@ -1,2 +1,2 @@%0A kind: Pod%0A-replicas: 1%0A+replicas: 2\n`,
    );
  });

  it('are one for each case, at its first failure', () => {
    const place = { file: 'suites/pods.webhook-test.yaml', line: 7, column: 5 };
    const failures = [
      { check: 'allowed', message: 'expected refusal', place },
      { check: 'message', message: 'differs', expected: 'x', actual: 'y' },
    ];
    expect(githubReport(runOf([suiteOf([failed('a', failures)])]), plain)).toBe(
      '::error file=suites/pods.webhook-test.yaml,line=7,col=5,title=a::allowed: expected refusal%0Amessage: differs%0Aexpected: x%0Aactual:   y\n',
    );
  });

  it('warn of flaky cases, and report errors for suites that could not run and obsolete snapshots', () => {
    const commands = githubReport(eventfulRun, plain).split('\n');
    expect(commands.filter(line => line.startsWith('::warning'))).toEqual([expect.stringContaining('title=shaky is flaky::message: ')]);
    expect(commands).toContain('::error file=suites/jobs.webhook-test.yaml,title=suites/jobs.webhook-test.yaml::exec: it never came up');
    expect(commands).toContain('::error file=suites/__snapshots__/gone.yaml,title=obsolete snapshot::no case uses this snapshot');
  });

  it('cannot be injected by a webhook’s message', () => {
    const message = 'no\n::set-output name=a::b\r\n%0A::stop-commands::x\u001b[31m';
    const text = githubReport(runOf([suiteOf([failed('::x\n::error::', [{ check: 'message', message }])])]), plain);
    expect(text.split('\n')).toEqual([
      '::error file=suites/pods.webhook-test.yaml,line=4,col=3,title=%3A%3Ax%0A%3A%3Aerror%3A%3A::' +
        'message: no%0A::set-output name=a::b\\u000d%0A%250A::stop-commands::x\\u001b[31m',
      '',
    ]);
  });

  it('are empty for a passed run', () => {
    expect(githubReport(runOf([suiteOf([passed('a')])]), plain)).toBe('');
  });
});

describe('the job summary', () => {
  it('stays within GitHub’s size limit, and reports what is omitted', () => {
    const many = Array.from({ length: 40 }, (_, i) => failed(`case ${i}`, [{ check: 'message', message: 'x'.repeat(60_000) }]));
    const summary = githubSummary(runOf([suiteOf(many)], { notes: ['last words'] }));
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
    expect(summary).toContain('case 16');
    expect(summary).toContain('\n23 more omitted.\n');
    expect(summary).toContain('last words');
  });
});
