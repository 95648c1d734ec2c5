import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  type Materials,
  type Running,
  startControlPlane,
  webhookKubeconfig,
  writeMaterials,
} from './support/control-plane.js';

const users = ['allowed', 'denied', 'both', 'reason', 'failing', 'other'];
const tokens = ['admin,admin,,"system:masters"', ...users.map(user => `${user},${user},uid-${user},g`)];
let materials: Materials;
let webhook: Server;
const asked: string[] = [];

/** What the webhook answers, by user. */
const answers: Readonly<Record<string, object | string>> = {
  allowed: { allowed: true, reason: 'a friend' },
  denied: { denied: true, reason: 'no way' },
  both: { allowed: true, denied: true },
  reason: { allowed: false, reason: 'not today' },
  failing: '{"x',
  other: { allowed: false },
};

beforeAll(async () => {
  materials = writeMaterials({ 'tokens.csv': `${tokens.join('\n')}\n` });
  webhook = createServer(async (incoming, outgoing) => {
    const text = Buffer.concat(await incoming.toArray()).toString('utf8');
    asked.push(`${incoming.url} ${text}`);
    const answer = answers[JSON.parse(text).spec.user] ?? { allowed: false };
    outgoing.end(typeof answer === 'string' ? answer : JSON.stringify({ status: answer }));
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  const { port } = webhook.address() as AddressInfo;
  writeFileSync(path.join(materials.folder, 'authorizer.yaml'), webhookKubeconfig(`http://127.0.0.1:${port}/authorize`));
});
afterAll(() => {
  webhook.close();
  materials.remove();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const pods = '/api/v1/namespaces/default/pods';

describe('authorization by a webhook', () => {
  let server: Running;
  beforeAll(async () => {
    const flags = ['--authorization-mode=Webhook', '--authorization-webhook-config-file=authorizer.yaml', '--token-auth-file=tokens.csv'];
    server = await startControlPlane(materials, flags);
  });
  afterAll(() => server.stop());

  const forbidden = (user: string, why = ''): string =>
    `pods is forbidden: User "${user}" cannot list resource "pods" in API group "" in the namespace "default"${why}`;

  it('sends what kube-apiserver sends, and keeps the answer', async () => {
    asked.length = 0;
    const url = `${pods}?labelSelector=a%3Db,!d,e%20in%20(g,f),n%3E5&fieldSelector=spec.nodeName!%3Dx`;
    const found = [await server.call('GET', url, as('allowed')), await server.call('GET', url, as('allowed'))];
    expect(found.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked).toEqual([
      '/authorize?timeout=30s {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1beta1","metadata":{},"spec":{"resourceAttributes":{"namespace":"default","verb":"list","version":"v1","resource":"pods","fieldSelector":{"requirements":[{"key":"spec.nodeName","operator":"NotIn","values":["x"]}]},"labelSelector":{"requirements":[{"key":"a","operator":"In","values":["b"]},{"key":"d","operator":"DoesNotExist"},{"key":"e","operator":"In","values":["f","g"]}]}},"user":"allowed","group":["g","system:authenticated"],"uid":"uid-allowed"},"status":{"allowed":false}}\n',
    ]);
  });

  it.each([
    ['denied', 403, forbidden('denied', ': no way')],
    ['reason', 403, forbidden('reason', ': not today')],
    ['other', 403, forbidden('other')],
    ['both', 500, `Internal Server Error: "${pods}": webhook subject access review returned both allow and deny response\n`],
    ['failing', 500, `Internal Server Error: "${pods}": couldn't get version/kind; json parse error: unexpected end of JSON input\n`],
  ])('answers the user %s with %i', async (user, status, message) => {
    const answer = await server.call('GET', pods, as(user));
    expect([answer.status, answer.body.message ?? answer.body]).toEqual([status, message]);
  });

  it('shows decisions in access reviews', async () => {
    const review = (user: string): Promise<Answer> =>
      server.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        ...as('admin'),
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user, resourceAttributes: { verb: 'get', resource: 'pods' } },
        },
      });
    const statuses = [];
    for (const user of ['allowed', 'denied', 'failing']) statuses.push((await review(user)).body.status);
    expect(statuses).toEqual([
      { allowed: true, reason: 'a friend' },
      { allowed: false, denied: true, reason: 'no way' },
      { allowed: false, evaluationError: "couldn't get version/kind; json parse error: unexpected end of JSON input" },
    ]);
  });

  it('asks for expressions of policies', async () => {
    const name = { name: 'p' };
    const group = 'admissionregistration.k8s.io/v1';
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
    const validations = [{ expression: "authorizer.group('').resource('secrets').namespace('x').check('get').reason() == 'a friend'" }];
    const policy = { spec: { matchConstraints: { resourceRules: [rule] }, validations } };
    const binding = { spec: { policyName: 'p', validationActions: ['Deny'] } };
    for (const [kind, object] of Object.entries({ ValidatingAdmissionPolicy: policy, ValidatingAdmissionPolicyBinding: binding })) {
      const plural = kind.endsWith('y') ? 'validatingadmissionpolicies' : 'validatingadmissionpolicybindings';
      const body = { apiVersion: group, kind, metadata: name, ...object };
      expect((await server.call('POST', `/apis/${group}/${plural}`, { ...as('admin'), body })).status).toBe(201);
    }
    asked.length = 0;
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    const answer = await server.call('POST', '/api/v1/namespaces/default/configmaps', { ...as('allowed'), body });
    expect([answer.status, asked.length]).toEqual([201, 2]);
    expect(asked[1]).toContain('"resourceAttributes":{"namespace":"x","verb":"get","version":"*","resource":"secrets"}');
  });

  it('cannot list the rules of a user', async () => {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'default' } };
    const answer = await server.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { ...as('allowed'), body });
    expect(answer.body.status).toMatchObject({
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    });
  });
});

it('asks the next authorizer when the first has no opinion', async () => {
  const policies = [
    '# comment',
    '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"other","namespace":"*","resource":"pods","apiGroup":"*","readonly":true}}',
    '{"user":"reason","resource":"secrets"}',
    '{"user":"admin","resource":"secrets"}',
  ];
  writeFileSync(path.join(materials.folder, 'policies.jsonl'), policies.join('\n'));
  const flags = [
    '--authorization-mode=ABAC,Webhook',
    '--authorization-policy-file=policies.jsonl',
    '--authorization-webhook-config-file=authorizer.yaml',
    '--authorization-webhook-version=v1',
    '--authorization-webhook-cache-unauthorized-ttl=0s',
    '--token-auth-file=tokens.csv',
  ];
  const server = await startControlPlane(materials, flags);
  asked.length = 0;
  const get = async (user: string, url: string): Promise<number> => (await server.call('GET', url, as(user))).status;
  const codes = [await get('other', pods), await get('other', '/api/v1/secrets'), await get('other', '/api/v1/secrets')];
  codes.push(await get('reason', '/api/v1/secrets'), await get('reason', pods), await get('allowed', pods));
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'n' } };
  const rules = await server.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { ...as('admin'), body });
  await server.stop();
  expect(codes).toEqual([200, 403, 403, 200, 403, 200]);
  expect(rules.body.status.resourceRules).toEqual([{ verbs: ['*'], apiGroups: ['*'], resources: ['secrets'] }]);
  expect(asked.map(text => JSON.parse(text.slice(text.indexOf('{'))).spec.user)).toEqual(['other', 'other', 'reason', 'allowed']);
  expect(asked[0]).toContain('"apiVersion":"authorization.k8s.io/v1"');
  expect(asked[0]).toContain('"groups":["g","system:authenticated"]');
});

it.each([
  [['--authorization-mode=Webhook'], "authorization-mode Webhook's authorization config file not passed"],
  [['--authorization-mode=ABAC'], "authorization-mode ABAC's authorization policy file not passed"],
  [['--authorization-policy-file=x'], 'cannot specify --authorization-policy-file without mode ABAC'],
  [
    ['--authorization-mode=ABAC', '--authorization-policy-file=missing'],
    'invalid authorization config: open missing: no such file or directory',
  ],
  [
    ['--authorization-mode=ABAC', '--authorization-policy-file=broken.jsonl'],
    "invalid authorization config: error reading policy file broken.jsonl, line 1: {: couldn't get version/kind; json parse error: unexpected end of JSON input",
  ],
  [
    ['--authorization-mode=ABAC', '--authorization-policy-file=kind.jsonl'],
    'no kind \\"X\\" is registered for version \\"abac.authorization.kubernetes.io/v1beta1\\"',
  ],
  [
    ['--authorization-mode=ABAC', '--authorization-policy-file=type.jsonl'],
    'json: cannot unmarshal number into Go struct field PolicySpec.spec.user of type string',
  ],
])('refuses to start with %j', async (flags, message) => {
  const head = { apiVersion: 'abac.authorization.kubernetes.io/v1beta1' };
  writeFileSync(path.join(materials.folder, 'kind.jsonl'), JSON.stringify({ ...head, kind: 'X' }));
  writeFileSync(path.join(materials.folder, 'type.jsonl'), JSON.stringify({ ...head, kind: 'Policy', spec: { user: 1 } }));
  writeFileSync(path.join(materials.folder, 'broken.jsonl'), '{');
  await expect(startControlPlane(materials, flags)).rejects.toThrow(message);
});

describe('an authorization configuration', () => {
  /** Writes a configuration, and returns its flag. */
  function configured(authorizers: readonly object[]): string {
    const document = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers };
    writeFileSync(path.join(materials.folder, 'authorization.yaml'), JSON.stringify(document));
    return '--authorization-config=authorization.yaml';
  }
  const webhookAuthorizer = (name: string, webhookMore: object): object => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: path.join(materials.folder, 'authorizer.yaml') },
      ...webhookMore,
    },
  });
  const expressions = (...texts: string[]) => ({ matchConditions: texts.map(expression => ({ expression })) });

  it('asks webhooks whose match conditions are true, in order', async () => {
    const flag = configured([
      webhookAuthorizer('paths', {
        failurePolicy: 'Deny',
        ...expressions('has(request.nonResourceAttributes)', "request.extra['x'][0] == 'y'"),
      }),
      webhookAuthorizer(
        'labels',
        expressions(
          'has(request.resourceAttributes) && has(request.resourceAttributes.labelSelector)',
          "request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a' && r.operator == 'In' && 'b' in r.values)",
        ),
      ),
      { type: 'AlwaysDeny', name: 'alwaysdeny' },
    ]);
    const server = await startControlPlane(materials, [flag, '--token-auth-file=tokens.csv']);
    asked.length = 0;
    const get = async (url: string): Promise<[number, string]> => {
      const { status, body } = await server.call('GET', url, as('allowed'));
      return [status, body.message ?? (typeof body === 'string' ? body : '')];
    };
    const found = [await get(`${pods}?labelSelector=a%3Db`), await get(`${pods}?labelSelector=a%3Dc`), await get('/version')];
    await server.stop();
    expect(found).toEqual([
      [200, ''],
      [
        403,
        'pods is forbidden: User "allowed" cannot list resource "pods" in API group "" in the namespace "default": Everything is forbidden.',
      ],
      [
        500,
        `Internal Server Error: "/version": cel evaluation error: expression 'request.extra['x'][0] == 'y'' resulted in error: no such key: x\n`,
      ],
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('/authorize?timeout=3s');
  });

  it.each([
    [[], 'authorizers: Required value: at least one authorization mode must be defined'],
    [[{ type: 'RBAC', name: 'other' }], 'expected name rbac for authorizer RBAC instead of other'],
    [
      [{ type: 'X', name: 'a' }, {}, { type: 'Node', name: 'node', webhook: {} }],
      'authorizers[1].type: Required value, authorizers[2].webhook: Invalid value: \\"non-null\\": may only be specified when type=Webhook',
    ],
    [[{ type: 'RBAC', name: 'rbac', bad: 1 }], 'strict decoding error: unknown field \\"authorizers[0].bad\\"'],
  ])('with %j is refused', async (authorizers, message) => {
    await expect(startControlPlane(materials, [configured(authorizers)])).rejects.toThrow(message);
  });

  it('names what is wrong with a webhook', async () => {
    const wrong = {
      timeout: '31s',
      authorizedTTL: '-5s',
      subjectAccessReviewVersion: 'v2',
      failurePolicy: undefined,
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'relative' },
      ...expressions('request.user', ' ', 'true', 'true'),
    };
    await expect(startControlPlane(materials, [configured([webhookAuthorizer('w', wrong)])])).rejects.toThrow(
      [
        'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s',
        'authorizers[0].authorizedTTL: Invalid value: "-5s": must be > 0s',
        'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
        'authorizers[0].failurePolicy: Required value',
        'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "relative": must be an absolute path',
        'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string',
        'authorizers[0].matchConditions[1].expression: Required value',
        'authorizers[0].matchConditions[3].expression: Duplicate value: "true"',
      ]
        .join(', ')
        .replaceAll('"', '\\"'),
    );
  });

  it('uses the file as it is changed, if it keeps the types that are not webhooks', async () => {
    const rbac = { type: 'RBAC', name: 'rbac' };
    const server = await startControlPlane(materials, [configured([rbac]), '--token-auth-file=tokens.csv']);
    const ask = async (): Promise<number> => (await server.call('GET', pods, as('allowed'))).status;
    expect(await ask()).toBe(403);
    configured([webhookAuthorizer('w', {})]);
    await vi.waitFor(() => expect(server.stderr()).toContain('reloading authorization config: missing required types: [RBAC]'));
    configured([rbac, { type: 'Node', name: 'node' }]);
    await vi.waitFor(() =>
      expect(server.stderr()).toContain('authorizer type Node is not allowed if it was not enabled at initial server startup'),
    );
    expect(await ask()).toBe(403);
    configured([webhookAuthorizer('w', {}), rbac]);
    await vi.waitFor(async () => expect(await ask()).toBe(200));
    expect(server.stderr()).toContain('reloaded authz config');
    await server.stop();
  });

  it('knows the review of conditions since v1.38, behind its gate, and says that decisions have no conditions', async () => {
    const flag = configured([webhookAuthorizer('w', { conditionsReview: { version: 'v1alpha1' } })]);
    const gated = [flag, '--feature-gates=ConditionalAuthorization=true'];
    await expect(startControlPlane(materials, [flag], 'v1.37')).rejects.toThrow(
      'unknown field \\"authorizers[0].webhook.conditionsReview\\"',
    );
    await expect(startControlPlane(materials, [flag], 'v1.38')).rejects.toThrow(
      'authorizers[0].conditionsReview: Forbidden: the ConditionalAuthorization feature gate must be on to use this field',
    );
    await expect(startControlPlane(materials, gated, 'v1.38')).rejects.toThrow('conditionsReview of an authorizer is not supported');
    const wrong = { subjectAccessReviewVersion: 'v1beta1', conditionsReview: { version: 'v1' } };
    const written = configured([webhookAuthorizer('w', wrong)]);
    await expect(startControlPlane(materials, [written, ...gated.slice(1)], 'v1.38')).rejects.toThrow(
      'authorizers[0].conditionsReview: Forbidden: may only be set when subjectAccessReviewVersion=v1, authorizers[0].conditionsReview.version: Unsupported value: \\"v1\\": supported values: \\"v1alpha1\\"',
    );
  });

  it('cannot be given with modes', async () => {
    const flags = [configured([]), '--authorization-mode=RBAC'];
    await expect(startControlPlane(materials, flags)).rejects.toThrow(
      '--authorization-config can not be specified when --authorization-mode',
    );
  });
});
