import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/apiserver/report/report.js';
import { type ClientCommand, type CommandReport, kubectlLinesOf } from '../../src/client/kubectl-lines.js';
import { isMap, toValue } from '../../src/go/value.js';

const pod: ClientCommand = {
  verb: 'create',
  source: 'pod.yaml',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  name: 'a',
  namespace: 'team',
  dryRun: false,
  force: false,
  words: [],
};
const deployment = { ...pod, kind: { group: 'apps', version: 'v1', kind: 'Deployment' }, source: 'w.yaml', name: 'w' };

function answered(
  command: ClientCommand | undefined,
  code: number,
  body: object | undefined,
  warnings: readonly string[] = [],
): CommandReport {
  const value = toValue(body ?? null);
  const map = isMap(value) ? value : undefined;
  const allowed = code >= 200 && code < 300;
  const report: Report = {
    kubernetesVersion: 'v1.36',
    call: { method: 'POST', path: '/', user: { username: 'u' } },
    webhooks: [],
    answer: { status: code, warnings, headers: {}, body: '' },
    decision: { allowed, code, status: allowed ? undefined : map, warnings, auditAnnotations: {}, object: allowed ? map : undefined },
    notes: [],
  };
  return { report, command };
}

function lines(...reports: CommandReport[]): string[] {
  const isOnlyFailure = reports.filter(({ report }) => !report.decision.allowed).length === 1;
  return reports.flatMap(report => kubectlLinesOf(report, { isOnlyFailure }));
}

const denial = { message: 'admission webhook "v" denied the request: no', code: 403 };

describe('kubectl’s output for an allowed call', () => {
  it.each<[string, CommandReport, readonly string[]]>([
    ['create', answered(pod, 201, { metadata: { name: 'a' } }), ['pod/a created']],
    ['a generated name', answered({ ...pod, name: '' }, 201, { metadata: { name: 'g-wwncx' } }), ['pod/g-wwncx created']],
    ['a group', answered({ ...deployment, verb: 'replace' }, 200, { metadata: { name: 'w' } }), ['deployment.apps/w replaced']],
    ['patch', answered({ ...deployment, verb: 'patch' }, 200, {}), ['deployment.apps/w patched']],
    ['apply', answered({ ...deployment, verb: 'apply' }, 200, {}), ['deployment.apps/w serverside-applied']],
    ['a dry run', answered({ ...pod, dryRun: true }, 201, { metadata: { name: 'a' } }), ['pod/a created (server dry run)']],
    ['delete', answered({ ...pod, verb: 'delete' }, 200, {}), ['pod "a" deleted from team namespace']],
    ['delete at once', answered({ ...pod, verb: 'delete', force: true }, 200, {}), ['pod "a" force deleted from team namespace']],
    [
      'delete of a cluster-scoped object',
      answered({ ...deployment, verb: 'delete', namespace: '' }, 200, {}),
      ['deployment.apps "w" deleted'],
    ],
    [
      'a subresource, by the kind of the answer',
      answered({ ...deployment, verb: 'patch' }, 200, { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'w' } }),
      ['scale.autoscaling/w patched'],
    ],
    ['warnings', answered(pod, 201, { metadata: { name: 'a' } }, ['one', 'two']), ['Warning: one', 'Warning: two', 'pod/a created']],
    [
      'a call without a command',
      answered(undefined, 200, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'w' } }),
      ['deployment.apps/w'],
    ],
  ])('%s', (_, report, expected) => {
    expect(lines(report)).toEqual(expected);
  });
});

describe('kubectl’s output for a single refusal', () => {
  it.each<[string, CommandReport, readonly string[]]>([
    [
      'a reason',
      answered(pod, 403, { ...denial, reason: 'Forbidden' }),
      [`Error from server (Forbidden): error when creating "pod.yaml": ${denial.message}`],
    ],
    ['no reason', answered(pod, 403, denial), [`Error from server: error when creating "pod.yaml": ${denial.message}`]],
    [
      'unauthorized',
      answered(pod, 401, { message: 'u', reason: 'Unauthorized' }),
      ['error: You must be logged in to the server (error when creating "pod.yaml": u)'],
    ],
    [
      'replace',
      answered({ ...pod, verb: 'replace' }, 404, { message: 'pods "a" not found', reason: 'NotFound' }),
      ['Error from server (NotFound): error when replacing "pod.yaml": pods "a" not found'],
    ],
    [
      'apply, which names no file',
      answered({ ...pod, verb: 'apply' }, 403, { ...denial, reason: 'Forbidden' }),
      [`Error from server (Forbidden): ${denial.message}`],
    ],
    [
      'patch, which names no file',
      answered({ ...pod, verb: 'patch' }, 403, { ...denial, reason: 'Forbidden' }),
      [`Error from server (Forbidden): ${denial.message}`],
    ],
    ['stdin', answered({ ...pod, source: 'STDIN' }, 403, denial), [`Error from server: error when creating "STDIN": ${denial.message}`]],
    [
      'several lines',
      answered(pod, 500, { message: 'multi\nline', reason: 'InternalError' }),
      ['Error from server (InternalError): error when creating "pod.yaml": multi', 'line'],
    ],
    [
      'invalid, one cause',
      answered(pod, 422, {
        message: 'Pod "inv" is invalid: spec.containers: Required value',
        reason: 'Invalid',
        details: {
          name: 'inv',
          kind: 'Pod',
          causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.containers' }],
        },
        code: 422,
      }),
      ['The Pod "inv" is invalid: spec.containers: Required value'],
    ],
    [
      'invalid, several causes and one twice',
      answered(pod, 422, {
        message: 'm',
        reason: 'Invalid',
        details: {
          name: 'p',
          kind: 'Pod',
          causes: [
            { message: 'm1', field: 'spec.x' },
            { message: 'm2', field: 'spec.y' },
            { message: 'm1', field: 'spec.x' },
          ],
        },
        code: 422,
      }),
      ['The Pod "p" is invalid: ', '* spec.x: m1', '* spec.y: m2'],
    ],
    ['invalid without details', answered(pod, 422, { message: 'inv', reason: 'Invalid', code: 422 }), ['The request is invalid: inv']],
    ['422 without a reason', answered(pod, 422, { message: 'inv', code: 422 }), ['The request is invalid: inv']],
    [
      '422 with a reason of its own',
      answered(pod, 422, { message: 'inv', reason: 'MyReason', code: 422 }),
      ['The request is invalid: inv'],
    ],
    [
      '422 with a reason that means something else',
      answered(pod, 422, { message: 'inv', reason: 'Forbidden', code: 422 }),
      ['Error from server (Forbidden): error when creating "pod.yaml": inv'],
    ],
    [
      'invalid, only a subject',
      answered(pod, 422, { message: 'inv', reason: 'Invalid', details: { kind: 'Pod', name: 'p' }, code: 422 }),
      ['The Pod "p" is invalid'],
    ],
    [
      'invalid, causes without a subject',
      answered(pod, 422, { message: 'inv', reason: 'Invalid', details: { causes: [{ message: 'm1', field: 'spec.x' }] }, code: 422 }),
      ['The request is invalid: spec.x: m1'],
    ],
    [
      'a conflict of apply, with advice',
      answered({ ...pod, verb: 'apply' }, 409, { message: 'Apply failed with 1 conflict: conflict with "x":\n- .a', reason: 'Conflict' }),
      [
        'error: Apply failed with 1 conflict: conflict with "x":',
        '- .a',
        'Please review the fields above--they currently have other managers. Here',
        'are the ways you can resolve this warning:',
        '* If you intend to manage all of these fields, please re-run the apply',
        '  command with the `--force-conflicts` flag.',
        '* If you do not intend to manage all of the fields, please edit your',
        '  manifest to remove references to the fields that should keep their',
        '  current managers.',
        '* You may co-own fields by updating your manifest to match the existing',
        "  value; in this case, you'll become the manager if the other manager(s)",
        '  stop managing the field (remove it from their configuration).',
        'See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts',
      ],
    ],
    [
      'an answer that is not a Status',
      answered(undefined, 404, undefined),
      ['Error from server (NotFound): the server could not find the requested resource'],
    ],
    ['no answer', answered(pod, 0, undefined), ['error: the connection to the server was closed before it answered']],
  ])('%s', (_, report, expected) => {
    expect(lines(report)).toEqual(expected);
  });
});

describe('kubectl’s output for several refusals', () => {
  it('formats an invalid object like any other error', () => {
    const invalid = {
      message: 'Pod "c" is invalid: spec: Forbidden',
      reason: 'Invalid',
      details: { kind: 'Pod', name: 'c', causes: [] },
      code: 422,
    };
    expect(lines(answered(pod, 422, invalid), answered(pod, 201, { metadata: { name: 'b' } }), answered(pod, 422, invalid))).toEqual([
      'Error from server (Invalid): error when creating "pod.yaml": Pod "c" is invalid: spec: Forbidden',
      'pod/b created',
      'Error from server (Invalid): error when creating "pod.yaml": Pod "c" is invalid: spec: Forbidden',
    ]);
  });
});
