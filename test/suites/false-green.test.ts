import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: Server;
let origin: string;
let ca: string;
let otherCa: string;

/** Answers by path, so that a case chooses the webhook's behavior with its URL. */
const responses: Readonly<Record<string, (uid: string) => object | string>> = {
  '/allow': uid => ({ uid, allowed: true }),
  '/deny': uid => ({ uid, allowed: false, status: { message: 'no', code: 403 } }),
  '/patch': uid => ({ uid, allowed: true, patchType: 'JSONPatch', patch: btoa('[{"op":"add","path":"/data","value":{"a":"b"}}]') }),
  '/bad-patch': uid => ({ uid, allowed: true, patchType: 'JSONPatch', patch: btoa('[{"op":"remove","path":"/nothing"}]') }),
  '/other-uid': () => ({ uid: 'another', allowed: false }),
  '/text': () => 'hello',
};

beforeAll(async () => {
  const [own, other] = await Promise.all([
    issueServingPair({ dns: [], ips: [] }, new Date()),
    issueServingPair({ dns: [], ips: [] }, new Date()),
  ]);
  ({ ca } = own);
  otherCa = other.ca;
  server = createServer({ cert: own.cert, key: own.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = responses[new URL(request.url ?? '', 'https://x').pathname];
      if (answer === undefined) return response.writeHead(404).end('404 page not found\n');
      const { request: review }: { request: { uid: string } } = JSON.parse(Buffer.concat(chunks).toString());
      const said = answer(review.uid);
      const body = typeof said === 'string' ? said : { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: said };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => server.close());

let folder: string;
let remove: () => void;

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n`;
const configuration = (more: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: w.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://127.0.0.1:1/"}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
  ${more}
`;

/** A policy about ConfigMaps with one validation. */
const policy = (expression: string, more = ''): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]}
  validations: [{expression: ${JSON.stringify(expression)}}]
  ${more}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny], paramRef: {name: none, parameterNotFoundAction: Deny}}
`;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({
    'ca.crt': ca,
    'other.crt': otherCa,
    'a.yaml': configMap('a'),
    'secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default}\n',
    'invalid.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A_B, namespace: default}\n',
    'blank.yaml': '# nothing\n',
    'empty/readme.txt': 'nothing here',
    'manifests/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default}\n',
    'excluded.yaml': configuration('namespaceSelector: {matchLabels: {on: "yes"}}'),
    'unlabeled.yaml': configuration('objectSelector: {matchLabels: {on: "yes"}}'),
    'refused.yaml': configuration('timeoutSeconds: 31'),
    'condition.yaml': configuration('matchConditions: [{name: never, expression: "false"}]'),
    'ignored.yaml': configuration('failurePolicy: Ignore'),
    'denying-policy.yaml': policy('false'),
    'allowing-policy.yaml': policy('true'),
    'skipped-policy.yaml': policy('false', 'matchConditions: [{name: never, expression: "false"}]'),
    'failing-policy.yaml': policy("object.data.a == 'b'"),
    'misconfigured-policy.yaml': policy('true', 'paramKind: {apiVersion: v1, kind: ConfigMap}'),
    'no-webhooks.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n',
  }));
});
afterEach(() => remove());

const suite = (cases: string, fields = ''): string =>
  `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${fields}cases:\n${cases.startsWith('-') ? cases : `- {name: one, filename: a.yaml, ${cases}}`}\n`;

interface Run {
  /** Fields of the only case, or all cases. */
  readonly cases?: string;
  readonly fields?: string;
  readonly path?: string;
  readonly phase?: 'mutating' | 'validating';
  readonly authority?: string;
  readonly argv?: readonly string[];
  readonly ci?: boolean;
}

async function test({
  cases,
  fields,
  path,
  phase = 'validating',
  authority = 'ca.crt',
  argv = [],
  ci = false,
}: Run): Promise<CommandResult> {
  if (cases !== undefined) writeFileSync(join(folder, 's.webhook-test.yaml'), suite(cases, fields));
  const url = path === undefined ? [] : ['--url', path.startsWith('http') ? path : origin + path, '--phase', phase, '--ca-file', authority];
  const where = cases === undefined ? [] : ['s.webhook-test.yaml'];
  return runCommand(Test, [...where, ...url, ...argv], {
    cwd: folder,
    env: { XDG_CACHE_HOME: `${folder}/.cache`, ...(ci ? { CI: 'true' } : {}) },
  });
}

const closed = 'https://127.0.0.1:1/';
const refusal = 'snapshot: false, expect: {allowed: false}';
const allowance = 'snapshot: false, expect: {allowed: true}';

/** Ways in which a suite could pass without having tested anything: what it says, and its exit code. */
const ways: readonly (readonly [way: string, run: Run, exitCode: number, says: string | RegExp])[] = [
  ['no server, and a refusal is expected', { cases: refusal, path: closed }, 4, /call: .*connection refused/],
  ['no server in CI', { cases: refusal, path: closed, ci: true }, 4, 'expect: {failure: {class: tcp}}'],
  ['no server with --update', { cases: 'expect: {allowed: false}', path: closed, argv: ['--update'] }, 4, 'connection refused'],
  ['no server, and only a snapshot', { cases: 'skip: false', path: closed, argv: ['--update'] }, 4, 'connection refused'],
  [
    'no server, and code 403 is expected',
    { cases: 'snapshot: false, expect: {allowed: false, code: 403}', path: closed },
    4,
    'connection refused',
  ],
  [
    'no server, and any message is expected',
    { cases: 'snapshot: false, expect: {message: {matches: .}}', path: closed },
    4,
    'connection refused',
  ],
  ['no server, and failurePolicy Ignore', { cases: allowance, fields: 'state: [ignored.yaml]\n' }, 4, 'connection refused'],
  [
    'another failure than the expected one',
    { cases: 'snapshot: false, expect: {failure: {class: tls}}', path: closed },
    1,
    'class tcp instead of tls',
  ],
  [
    'an expected failure that does not happen',
    { cases: 'snapshot: false, expect: {failure: {class: tcp}}', path: '/deny' },
    1,
    'no webhook call failed',
  ],
  ['a wrong path', { cases: refusal, path: '/nowhere' }, 4, 'class: http'],
  ['an answer that is not a review', { cases: refusal, path: '/text' }, 5, 'class: body'],
  ['an answer to another review', { cases: refusal, path: '/other-uid' }, 5, 'class: review'],
  ['a patch that does not apply', { cases: refusal, path: '/bad-patch', phase: 'mutating' }, 5, 'class: patch'],
  ['another certificate authority', { cases: refusal, path: '/deny', authority: 'other.crt' }, 4, 'class: tls'],
  ['the wrong phase', { cases: allowance, path: '/patch' }, 5, 'validating webhook may not return response.patch'],
  ['an unknown webhook', { cases: `webhook: [x.example.com], ${allowance}`, fields: 'state: [condition.yaml]\n' }, 3, 'x.example.com'],
  [
    'a webhook whose rules do not match',
    { cases: `- {name: s, filename: secret.yaml, ${allowance}}`, fields: 'state: [ignored.yaml]\n' },
    3,
    /no webhook was called.*\n.*w.example.com was skipped \(rules\)/,
  ],
  ['an excluded namespace', { cases: allowance, fields: 'state: [excluded.yaml]\n' }, 3, 'skipped (namespaceSelector)'],
  ['an object without the label', { cases: allowance, fields: 'state: [unlabeled.yaml]\n' }, 3, 'skipped (objectSelector)'],
  ['a false match condition', { cases: allowance, fields: 'state: [condition.yaml]\n' }, 3, 'skipped (matchConditions)'],
  ['a configuration that the API server refuses', { cases: allowance, fields: 'state: [refused.yaml]\n' }, 3, 'the API server refuses'],
  [
    'a policy that does not match',
    { cases: allowance, fields: 'state: [skipped-policy.yaml]\n' },
    3,
    'policy p was skipped (matchConditions)',
  ],
  [
    'a policy whose expression fails',
    { cases: refusal, fields: 'state: [failing-policy.yaml]\n' },
    3,
    /policy p failed: .*no such key: data/,
  ],
  [
    'a policy without its parameter',
    { cases: refusal, fields: 'state: [misconfigured-policy.yaml]\n' },
    3,
    /policy p failed: .*no params found/,
  ],
  ['a state without webhooks', { cases: allowance, fields: 'state: [no-webhooks.yaml]\n' }, 3, 'no webhook specified'],
  [
    'a call that the API server refuses itself',
    { cases: `- {name: i, filename: invalid.yaml, ${refusal}}`, fields: 'state: [condition.yaml]\n' },
    3,
    'the API server refused the call',
  ],
  [
    'manifests that no webhook is called for',
    { argv: ['manifests', '--state', 'condition.yaml', '--update'] },
    3,
    'no case called a webhook',
  ],
  ['an empty folder', { argv: ['empty'] }, 3, 'no tests ran: empty contains neither suites nor manifests'],
  ['a path that does not exist', { argv: ['nowhere'] }, 3, 'does not exist'],
  ['a manifest without objects', { cases: `- {name: b, filename: blank.yaml, ${allowance}}`, path: '/allow' }, 3, 'blank.yaml'],
  ['no cases', { cases: '- ', path: '/allow' }, 3, 'cases[0]'],
  ['a filter without cases', { cases: allowance, path: '/allow', argv: ['--run', 'other'] }, 3, 'no case matches'],
  ['skipped cases only', { cases: `skip: later, ${allowance}`, path: '/allow' }, 3, 'every case is skipped'],
  ['a scenario that the kind does not have', { cases: `scenarios: [scale], ${allowance}`, path: '/allow' }, 3, 'every case was skipped'],
  [
    'scenarios that no rule matches',
    { cases: `scenarios: [delete, update-spec], ${allowance}`, fields: 'state: [condition.yaml]\n' },
    3,
    /every case was skipped(?:.|\n)*skipped: no rule matches DELETE configmaps/,
  ],
  [
    'scenarios that a condition skips',
    { cases: `scenarios: [create], ${allowance}`, fields: 'state: [condition.yaml]\n' },
    3,
    'no webhook was called',
  ],
  ['no scenario', { cases: `scenarios: [], ${allowance}`, path: '/allow' }, 3, 'scenarios is an empty list'],
  ['an empty matrix', { cases: `matrix: {as: []}, ${allowance}`, path: '/allow' }, 3, 'is an empty list'],
  ['a missing snapshot', { cases: 'skip: false', path: '/allow' }, 1, 'missing snapshot, and the case expects nothing else'],
  ['a missing snapshot in CI', { cases: 'skip: false', path: '/allow', ci: true }, 1, 'missing snapshot'],
  ['neither snapshot nor expectation', { cases: 'snapshot: false', path: '/allow' }, 3, 'compares nothing'],
  ['an empty expectation', { cases: 'expect: {}', path: '/allow' }, 3, 'cases[0].expect is empty'],
  ['an expectation of no fields', { cases: 'expect: {object: []}', path: '/allow' }, 3, 'cases[0].expect.object is empty'],
  ['an expectation of no annotations', { cases: 'expect: {auditAnnotations: {}}', path: '/allow' }, 3, 'auditAnnotations is empty'],
  ['--last-failed without a record', { cases: allowance, path: '/deny', argv: ['--last-failed'] }, 1, 'expected the call to be allowed'],
];

describe('a suite does not pass with', { timeout: 60_000 }, () => {
  it.each(ways)('%s', async (_, run, exitCode, says) => {
    const { exitCode: found, stdout, stderr } = await test(run);
    expect([found, stdout + stderr]).toEqual([
      exitCode,
      typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    ]);
  });
});

describe('a suite passes with', { timeout: 60_000 }, () => {
  it.each([
    ['an expected failure', { cases: 'snapshot: false, expect: {failure: {class: tcp, message: {matches: refused$}}}', path: closed }],
    ['the expected status of a failure', { cases: 'snapshot: false, expect: {code: 500}', path: closed }],
    [
      'an expected failure that is ignored',
      { cases: 'snapshot: false, expect: {allowed: true, failure: {class: tcp}}', fields: 'state: [ignored.yaml]\n' },
    ],
    ['no webhook, if that is expected', { cases: 'snapshot: false, expect: {called: []}', fields: 'state: [condition.yaml]\n' }],
    [
      "the API server's message",
      { cases: '- {name: i, filename: invalid.yaml, snapshot: false, expect: {message: {matches: a lowercase RFC 1123}}}', path: '/allow' },
    ],
    [
      'a scenario that no rule matches, beside one that a policy allows',
      { cases: `scenarios: [create, delete], ${allowance}`, fields: 'state: [allowing-policy.yaml]\n' },
    ],
    ['a refusal by a policy', { cases: refusal, fields: 'state: [denying-policy.yaml]\n' }],
    ['a snapshot that is written', { cases: 'skip: false', path: '/deny', argv: ['--update'] }],
    ['a patch in the mutating phase', { cases: allowance, path: '/patch', phase: 'mutating' }],
  ] as const)('%s', async (_, run) => {
    const { exitCode, stdout, stderr } = await test(run);
    expect([exitCode, exitCode === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });

  it('a failed call writes no snapshot', async () => {
    await test({ cases: 'expect: {allowed: false}', path: closed, argv: ['--update'] });
    expect(existsSync(`${folder}/__snapshots__`)).toBe(false);
  });
});
