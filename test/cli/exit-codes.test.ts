import { describe, expect, it } from 'vitest';
import type { WebhookReport } from '../../src/apiserver/admission/webhook-report.js';
import type { Report } from '../../src/apiserver/report/report.js';
import { exitCodeOfReport, gravestExitCode } from '../../src/cli/shell/exit-codes.js';
import type { FailureClass } from '../../src/kubernetes/webhook-call.js';

function entry(over: Partial<WebhookReport>): WebhookReport {
  return {
    phase: 'validating',
    round: 1,
    configuration: 'v',
    webhook: 'v.example.com',
    attributes: {
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subResource: '',
      name: 'a',
      namespace: 'n',
      dryRun: false,
    },
    outcome: 'allowed',
    skipReason: undefined,
    sent: undefined,
    warnings: [],
    auditAnnotations: {},
    patch: [],
    change: undefined,
    status: undefined,
    failure: undefined,
    failurePolicy: 'Fail',
    durationMs: 1,
    requestBody: undefined,
    ...over,
  };
}

/** `decidedBy`: the index of the entry that refuses the call. */
function report(allowed: boolean, webhooks: readonly WebhookReport[], decidedBy?: number): Report {
  return {
    kubernetesVersion: 'v1.36',
    call: { method: 'POST', path: '/', user: { username: 'u' } },
    webhooks,
    answer: { status: allowed ? 201 : 500, warnings: [], headers: {}, body: '' },
    decision: {
      allowed,
      code: allowed ? 201 : 500,
      status: undefined,
      warnings: [],
      auditAnnotations: {},
      object: undefined,
      decidedBy,
    },
    notes: [],
  };
}

function failure(failureClass: FailureClass): WebhookReport['failure'] {
  return { class: failureClass, message: 'm', fault: 'webhook', why: 'w', try: 't' };
}

describe('the exit code of a call', () => {
  it.each<[string, Report, number]>([
    ['allowed', report(true, [entry({})]), 0],
    [
      'allowed because the failure is ignored',
      report(true, [entry({ outcome: 'callFailed', failure: failure('tcp'), failurePolicy: 'Ignore' })]),
      0,
    ],
    ['denied by a webhook', report(false, [entry({ outcome: 'denied' })], 0), 1],
    ['refused by the API server itself', report(false, [entry({})]), 1],
    ['refused before any webhook', report(false, []), 1],
    ...(['dns', 'tcp', 'tls', 'http', 'time'] as const).map((name): [string, Report, number] => [
      `not called: ${name}`,
      report(false, [entry({ outcome: 'callFailed', failure: failure(name) })], 0),
      4,
    ]),
    ...(['body', 'review', 'patch', 'limit'] as const).map((name): [string, Report, number] => [
      `not understood: ${name}`,
      report(false, [entry({ outcome: 'callFailed', failure: failure(name) })], 0),
      5,
    ]),
    ['a patch that does not apply', report(false, [entry({ outcome: 'internalError', failure: failure('patch') })], 0), 5],
    ['a dry run against side effects', report(false, [entry({ outcome: 'internalError' })], 0), 1],
    [
      'denied by one webhook, while another one could not be called',
      report(
        false,
        [entry({ webhook: 'a', outcome: 'callFailed', failure: failure('tcp') }), entry({ webhook: 'b', outcome: 'denied' })],
        1,
      ),
      1,
    ],
    [
      'an ignored failure before a denial',
      report(false, [entry({ outcome: 'callFailed', failure: failure('tcp'), failurePolicy: 'Ignore' }), entry({ outcome: 'denied' })], 1),
      1,
    ],
  ])('%s', (_, given, expected) => {
    expect(exitCodeOfReport(given)).toBe(expected);
  });

  it('of several is the gravest', () => {
    const denied = report(false, [entry({ outcome: 'denied' })], 0);
    const failed = report(false, [entry({ outcome: 'callFailed', failure: failure('tcp') })], 0);
    const invalid = report(false, [entry({ outcome: 'callFailed', failure: failure('body') })], 0);
    const runs = [[], [report(true, []), denied], [denied, invalid], [invalid, failed, denied]];
    expect(runs.map(reports => gravestExitCode(reports.map(exitCodeOfReport)))).toEqual([0, 1, 5, 4]);
    expect(gravestExitCode([1, 5, 4, 3, 6, 70])).toBe(70);
    expect(gravestExitCode([1, 5, 4, 3, 6])).toBe(6);
    expect(gravestExitCode([1, 5, 4, 3])).toBe(3);
  });
});
