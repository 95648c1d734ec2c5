import { afterAll, describe, expect, it } from 'vitest';
import { exitCodeOfError } from '../../src/cli/shell/exit-codes.js';
import { planCalls } from '../../src/cli/work/calls/plan-calls.js';
import type { PlannedCall } from '../../src/client/calls/planned-call.js';
import type { CliError } from '../../src/client/cli-error.js';
import { testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type TestedFlags = Parameters<typeof planCalls>[0];

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx:1"}]}\n';
const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w, namespace: team}\n';
const odd =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, annotations: {b: "<&>", a: "\u2028é"}}\ndata: {z: "1", a: "2"}\nimmutable: false\nx: 1.0\ny: 1e3\nw: 12345678901234567890\nv: 9007199254740993\nq: null\n';

const temporary = temporaryFolder({
  'pod.yaml': pod,
  'deployment.yaml': deployment,
  'namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: nsx}\n',
  'generated.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {generateName: g-}\n',
  'saved.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s, annotations: {kubectl.kubernetes.io/last-applied-configuration: old, b: "<"}}\n',
  'bare.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  'odd.yaml': odd,
  'two.yaml': `${deployment}---\n${pod}`,
  'list.yaml':
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: z}}\n',
  'typed-list.yaml': 'apiVersion: v1\nkind: ConfigMapList\nitems:\n- {metadata: {name: x}}\n',
  'scale.yaml': 'apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: w, namespace: team}\nspec: {replicas: 2}\n',
  'eviction.yaml': 'apiVersion: policy/v1\nkind: Eviction\nmetadata: {name: a}\n',
  'replicas.yaml': `${deployment}spec: {replicas: 4}\n`,
  'debugged.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {ephemeralContainers: [{name: d, image: "busybox:1"}]}\n',
  'bound.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n1}\n',
  'account.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: sa}\n',
  'folder/b.yaml': pod,
  'folder/a.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"}}',
  'folder/note.txt': 'x',
  'folder/deep/c.yml': deployment,
  'call.yaml':
    'method: PATCH\npath: /api/v1/namespaces/team/pods/a\ncontentType: application/merge-patch+json\nbody: "{}"\nuser: {username: jane, groups: [devs]}\n',
});
afterAll(() => temporary.remove());

async function plan(flags: Partial<TestedFlags>) {
  const surroundings = testSurroundings({ cwd: temporary.folder }, { stdout: '', stderr: '' });
  // Missing flags are present with the value undefined, as in oclif.
  const { steps, state } = await planCalls(flags as TestedFlags, surroundings);
  const calls: PlannedCall[] = [];
  for (const step of steps) {
    const planned = await step.plan(state);
    if (!('skipped' in planned)) calls.push(planned);
  }
  return calls.map(({ call, command }) => ({
    ...call,
    body: call.body === undefined ? undefined : Buffer.from(call.body).toString('utf8'),
    command,
  }));
}

async function lines(flags: Partial<TestedFlags>): Promise<string[]> {
  return (await plan(flags)).map(({ method, path, body }) => `${method} ${path} ${body?.trimEnd()}`);
}

const podBody =
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default"},"spec":{"containers":[{"image":"nginx:1","name":"c"}]}}';
const deploymentBody = '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w","namespace":"team"}}';
const created = '?fieldManager=kubectl-create&fieldValidation=Strict';
const replaced = '?fieldManager=kubectl-replace&fieldValidation=Strict';

const savedPod =
  '{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Pod\\",\\"metadata\\":{\\"annotations\\":{},\\"name\\":\\"a\\",\\"namespace\\":\\"default\\"},\\"spec\\":{\\"containers\\":[{\\"image\\":\\"nginx:1\\",\\"name\\":\\"c\\"}]}}\\n"},"name":"a","namespace":"default"}';
const savedMap =
  '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"b":"\\u003c","kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"ConfigMap\\",\\"metadata\\":{\\"annotations\\":{\\"b\\":\\"\\\\u003c\\"},\\"name\\":\\"s\\",\\"namespace\\":\\"default\\"}}\\n"},"name":"s","namespace":"default"}}';
const podMetadata = '{"name":"a","namespace":"default"}';

describe('a manifest becomes the call that kubectl makes', () => {
  it.each<[string, Partial<TestedFlags>, string[]]>([
    ['create', { filename: ['pod.yaml'] }, [`POST /api/v1/namespaces/default/pods${created} ${podBody}`]],
    [
      'a namespace',
      { filename: ['pod.yaml'], namespace: 'team' },
      [`POST /api/v1/namespaces/team/pods${created} ${podBody.replace('default', 'team')}`],
    ],
    [
      'a group',
      { filename: ['deployment.yaml'], namespace: 'team' },
      [`POST /apis/apps/v1/namespaces/team/deployments${created} ${deploymentBody}`],
    ],
    [
      'no namespace for what lives in none',
      { filename: ['namespace.yaml'], namespace: 'team' },
      [`POST /api/v1/namespaces${created} {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"nsx"}}`],
    ],
    [
      'a generated name',
      { filename: ['generated.yaml'] },
      [
        `POST /api/v1/namespaces/default/pods${created} {"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"g-","namespace":"default"}}`,
      ],
    ],
    [
      'no metadata',
      { filename: ['bare.yaml'] },
      [`POST /api/v1/namespaces/default/configmaps${created} {"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"default"}}`],
    ],
    [
      'numbers, escapes and odd keys',
      { filename: ['odd.yaml'], validate: 'ignore' },
      [
        'POST /api/v1/namespaces/default/configmaps?fieldManager=kubectl-create&fieldValidation=Ignore {"apiVersion":"v1","data":{"a":"2","z":"1"},"immutable":false,"kind":"ConfigMap","metadata":{"annotations":{"a":"\\u2028é","b":"\\u003c\\u0026\\u003e"},"name":"odd","namespace":"default"},"q":null,"true":1000,"v":9007199254740993,"w":12345678901234567000,"x":1}',
      ],
    ],
    [
      'dry run, warnings, another manager',
      { filename: ['pod.yaml'], dryRun: 'server', validate: 'warn', fieldManager: 'me & you' },
      [`POST /api/v1/namespaces/default/pods?dryRun=All&fieldManager=me+%26+you&fieldValidation=Warn ${podBody}`],
    ],
    [
      'create, with the manifest in an annotation',
      { filename: ['pod.yaml', 'saved.yaml'], saveConfig: true },
      [
        `POST /api/v1/namespaces/default/pods${created} ${podBody.replace(podMetadata, savedPod)}`,
        `POST /api/v1/namespaces/default/configmaps${created} ${savedMap}`,
      ],
    ],
    [
      'create, with the annotation that the manifest has',
      { filename: ['saved.yaml'] },
      [`POST /api/v1/namespaces/default/configmaps${created} ${savedMap}`],
    ],
    [
      'replace, with the manifest in an annotation, without the version that is stored',
      { filename: ['pod.yaml'], operation: 'update', old: 'pod.yaml', saveConfig: true },
      [
        `PUT /api/v1/namespaces/default/pods/a${replaced} ${podBody.replace(podMetadata, savedPod.replace(/"default"}$/, '"default","resourceVersion":"1"}'))}`,
      ],
    ],
    ['replace', { filename: ['pod.yaml'], operation: 'update' }, [`PUT /api/v1/namespaces/default/pods/a${replaced} ${podBody}`]],
    [
      'replace, with the version that is stored',
      { filename: ['pod.yaml'], operation: 'update', old: 'pod.yaml' },
      [`PUT /api/v1/namespaces/default/pods/a${replaced} ${podBody.replace('"default"', '"default","resourceVersion":"1"')}`],
    ],
    [
      'a subresource',
      { filename: ['deployment.yaml'], operation: 'update', subresource: 'status' },
      [`PUT /apis/apps/v1/namespaces/team/deployments/w/status${replaced} ${deploymentBody}`],
    ],
    [
      'a subresource with a kind of its own',
      { filename: ['scale.yaml'], operation: 'update', subresource: 'scale', old: 'deployment.yaml' },
      [
        `PUT /apis/apps/v1/namespaces/team/deployments/w/scale${replaced} {"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"w","namespace":"team","resourceVersion":"1"},"spec":{"replicas":2}}`,
      ],
    ],
    [
      'an eviction',
      { filename: ['eviction.yaml'], subresource: 'eviction', namespace: 'team' },
      [
        `POST /api/v1/namespaces/team/pods/a/eviction${created} {"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a","namespace":"team"}}`,
      ],
    ],
    [
      'delete',
      { filename: ['pod.yaml'], operation: 'delete' },
      ['DELETE /api/v1/namespaces/default/pods/a {"propagationPolicy":"Background"}'],
    ],
    [
      'delete, dry run',
      { filename: ['pod.yaml'], operation: 'delete', dryRun: 'server' },
      ['DELETE /api/v1/namespaces/default/pods/a {"propagationPolicy":"Background","dryRun":["All"]}'],
    ],
    [
      'delete with a grace period and orphans',
      { filename: ['deployment.yaml'], operation: 'delete', gracePeriodSeconds: 5, cascade: 'orphan' },
      ['DELETE /apis/apps/v1/namespaces/team/deployments/w {"gracePeriodSeconds":5,"propagationPolicy":"Orphan"}'],
    ],
    [
      'delete at once',
      { filename: ['pod.yaml'], operation: 'delete', gracePeriodSeconds: 0, force: true },
      ['DELETE /api/v1/namespaces/default/pods/a {"gracePeriodSeconds":0,"propagationPolicy":"Background"}'],
    ],
    [
      'delete at once by mistake',
      { filename: ['pod.yaml'], operation: 'delete', gracePeriodSeconds: 0 },
      ['DELETE /api/v1/namespaces/default/pods/a {"gracePeriodSeconds":1,"propagationPolicy":"Background"}'],
    ],
    [
      'patch, strategic unless told otherwise',
      { filename: ['deployment.yaml'], operation: 'patch', patch: '{"spec": {"replicas":2}}', dryRun: 'server' },
      ['PATCH /apis/apps/v1/namespaces/team/deployments/w?dryRun=All&fieldManager=kubectl-patch {"spec": {"replicas":2}}'],
    ],
    [
      'a patch in YAML',
      { filename: ['deployment.yaml'], operation: 'patch', patch: 'spec: {replicas: 3}', type: 'merge', subresource: 'scale' },
      ['PATCH /apis/apps/v1/namespaces/team/deployments/w/scale?fieldManager=kubectl-patch {"spec":{"replicas":3}}'],
    ],
    [
      'server-side apply',
      { filename: ['deployment.yaml'], operation: 'apply' },
      [`PATCH /apis/apps/v1/namespaces/team/deployments/w?fieldManager=kubectl&fieldValidation=Strict&force=false ${deploymentBody}`],
    ],
    [
      'server-side apply by force',
      { filename: ['deployment.yaml'], operation: 'apply', forceConflicts: true, fieldManager: 'me', dryRun: 'server' },
      [`PATCH /apis/apps/v1/namespaces/team/deployments/w?dryRun=All&fieldManager=me&fieldValidation=Strict&force=true ${deploymentBody}`],
    ],
    [
      'a collection',
      { filename: ['pod.yaml'], operation: 'deletecollection', gracePeriodSeconds: 5 },
      ['DELETE /api/v1/namespaces/default/pods {"gracePeriodSeconds":5,"propagationPolicy":"Background"}'],
    ],
    [
      'exec, in the first container',
      { filename: ['pod.yaml'], operation: 'connect', subresource: 'exec', stdin: true, tty: true, words: ['sh', '-c', 'a b'] },
      [
        'GET /api/v1/namespaces/default/pods/a/exec?command=sh&command=-c&command=a+b&container=c&stdin=true&stdout=true&tty=true undefined',
      ],
    ],
    [
      'attach',
      { filename: ['pod.yaml'], operation: 'connect', subresource: 'attach', container: 'd' },
      ['GET /api/v1/namespaces/default/pods/a/attach?container=d&stderr=true&stdout=true undefined'],
    ],
    [
      'a port-forward, whose ports are in the stream',
      { filename: ['pod.yaml'], operation: 'connect', subresource: 'portforward', words: ['8080:80'] },
      ['GET /api/v1/namespaces/default/pods/a/portforward undefined'],
    ],
    [
      'a proxy',
      { filename: ['pod.yaml'], operation: 'connect', subresource: 'proxy', words: ['/metrics'] },
      ['GET /api/v1/namespaces/default/pods/a/proxy/metrics undefined'],
    ],
    [
      'kubectl scale',
      { filename: ['replicas.yaml'], operation: 'patch', subresource: 'scale' },
      ['PATCH /apis/apps/v1/namespaces/team/deployments/w/scale {"spec":{"replicas":4}}'],
    ],
    [
      "an object's Scale",
      { filename: ['replicas.yaml'], operation: 'update', subresource: 'scale' },
      [
        `PUT /apis/apps/v1/namespaces/team/deployments/w/scale${replaced} {"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"w","namespace":"team"},"spec":{"replicas":4}}`,
      ],
    ],
    [
      'kubectl debug',
      { filename: ['debugged.yaml'], operation: 'patch', subresource: 'ephemeralcontainers', old: 'pod.yaml' },
      ['PATCH /api/v1/namespaces/default/pods/a/ephemeralcontainers {"spec":{"ephemeralContainers":[{"image":"busybox:1","name":"d"}]}}'],
    ],
    [
      "kubectl drain's eviction",
      { filename: ['pod.yaml'], subresource: 'eviction', namespace: 'team' },
      [
        'POST /api/v1/namespaces/team/pods/a/eviction {"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"a","namespace":"team"},"deleteOptions":{}}',
      ],
    ],
    [
      "the scheduler's binding",
      { filename: ['bound.yaml'], subresource: 'binding' },
      [
        'POST /api/v1/namespaces/default/pods/a/binding {"kind":"Binding","apiVersion":"v1","metadata":{"name":"a","namespace":"default"},"target":{"kind":"Node","name":"n1"}}',
      ],
    ],
    [
      'kubectl create token',
      { filename: ['account.yaml'], subresource: 'token' },
      [
        'POST /api/v1/namespaces/default/serviceaccounts/sa/token {"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":{"audiences":null,"expirationSeconds":null,"boundObjectRef":null},"status":{"token":"","expirationTimestamp":null}}',
      ],
    ],
  ])('%s', async (_, flags, expected) => {
    expect(await lines(flags)).toEqual(expected);
  });

  it.each<[string, Partial<TestedFlags>, string]>([
    ['exec that is not connected to', { filename: ['pod.yaml'], subresource: 'exec' }, '--operation create cannot be used with pods/exec'],
    ['a connection to nothing', { filename: ['pod.yaml'], operation: 'connect' }, '--operation connect needs a subresource to connect to'],
    ['a subresource that is not there', { filename: ['pod.yaml'], subresource: 'scale' }, 'pods have no subresource "scale"'],
    [
      'a collection of statuses',
      { filename: ['pod.yaml'], operation: 'deletecollection', subresource: 'status' },
      '--operation deletecollection cannot be used with pods/status',
    ],
    [
      'exec without a command',
      { filename: ['pod.yaml'], operation: 'connect', subresource: 'exec' },
      'you must specify at least one command for the container',
    ],
    ['words for nothing', { filename: ['pod.yaml'], words: ['ls'] }, 'unexpected argument "ls" after --'],
    [
      'the manifest in an annotation of a subresource',
      { filename: ['pod.yaml'], operation: 'update', subresource: 'status', saveConfig: true },
      '--save-config cannot be used with --subresource',
    ],
    ['a terminal for nothing', { filename: ['pod.yaml'], tty: true }, '--tty can only be used with --operation connect'],
    [
      'plugins that are unknown',
      { filename: ['pod.yaml'], enableAdmissionPlugins: ['Nope'] },
      'kube-apiserver does not start: enable-admission-plugins plugin "Nope" is unknown',
    ],
  ])('but not %s: wrong usage', async (_, flags, message) => {
    await expect(plan(flags)).rejects.toSatisfy((error: CliError) => error.message === message && exitCodeOfError(error) === 2);
  });

  it.each([
    ['json', 'application/json-patch+json'],
    ['merge', 'application/merge-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
  ] as const)('with the content type of a %s patch', async (type, contentType) => {
    const [call] = await plan({ filename: ['deployment.yaml'], operation: 'patch', patch: '{}', type });
    expect(call?.contentType).toBe(contentType);
  });

  it('as the user and the kubectl that make it', async () => {
    const [call] = await plan({
      filename: ['pod.yaml'],
      as: 'jane',
      asUid: 'u',
      asGroup: ['devs'],
      asUserExtra: [
        { text: 'team=a', key: 'team', value: 'a' },
        { text: 'team=b', key: 'team', value: 'b' },
        { text: 'x=', key: 'x', value: '' },
      ],
    });
    expect(call).toEqual({
      method: 'POST',
      path: `/api/v1/namespaces/default/pods${created}`,
      contentType: 'application/json',
      userAgent: 'kubectl/v1.37.2 (linux/amd64) kubernetes/0000000',
      user: { username: 'jane', uid: 'u', groups: ['devs'], extra: { team: ['a', 'b'], x: [''] } },
      body: `${podBody}\n`,
      command: {
        verb: 'create',
        source: 'pod.yaml',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        name: 'a',
        namespace: 'default',
        dryRun: false,
        force: false,
        words: ['create', '-f', 'pod.yaml'],
      },
    });
  });
});

describe('the files of -f', () => {
  async function sources(flags: Partial<TestedFlags>): Promise<string[]> {
    return (await plan(flags)).map(({ command }) => `${command?.source} ${command?.kind.kind}/${command?.name}`);
  }

  it.each<[string, Partial<TestedFlags>, string[]]>([
    ['several documents', { filename: ['two.yaml'] }, ['two.yaml Deployment/w', 'two.yaml Pod/a']],
    ['the items of a List', { filename: ['list.yaml'] }, ['list.yaml ConfigMap/x', 'list.yaml ConfigMap/z']],
    ['the items of a list with a kind', { filename: ['typed-list.yaml'] }, ['typed-list.yaml ConfigMap/x']],
    ['a folder', { filename: ['folder'] }, ['folder/a.json ConfigMap/j', 'folder/b.yaml Pod/a']],
    [
      'a folder and those in it',
      { filename: ['folder'], recursive: true },
      ['folder/a.json ConfigMap/j', 'folder/b.yaml Pod/a', 'folder/deep/c.yml Deployment/w'],
    ],
    ['a pattern', { filename: ['fol*/[ab].*'] }, ['folder/a.json ConfigMap/j', 'folder/b.yaml Pod/a']],
    [
      'several, in the order they are given',
      { filename: ['folder/b.yaml', 'deployment.yaml'] },
      ['folder/b.yaml Pod/a', 'deployment.yaml Deployment/w'],
    ],
  ])('%s', async (_, flags, expected) => {
    expect(await sources(flags)).toEqual(expected);
  });

  it('or an exact HTTP call', async () => {
    expect(await plan({ call: 'call.yaml' })).toEqual([
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/team/pods/a',
        contentType: 'application/merge-patch+json',
        userAgent: undefined,
        headers: {},
        body: '{}',
        user: { username: 'jane', uid: undefined, groups: ['devs'], extra: undefined },
        command: undefined,
      },
    ]);
  });
});
