import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { auditOptions } from '../../src/cli/work/apiserver/audit-options.js';
import { StartError } from '../../src/cli/work/apiserver/start-error.js';
import { auditDecision } from '../../src/local-apiserver/audit/audit-policy.js';
import { root, testSurroundings } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startControlPlane, writeMaterials } from './support/control-plane.js';

interface Recorded {
  readonly policy: string;
  readonly tokens: string;
  readonly calls: readonly {
    readonly method: string;
    readonly path: string;
    readonly body?: object | string;
    readonly contentType?: string;
    readonly token?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }[];
  /** Lines of the log of kube-apiserver v1.36.3, with masked values. */
  readonly events: readonly string[];
}

const recorded: Recorded = JSON.parse(readFileSync(path.join(root, 'fixtures/envtest/audit.json'), 'utf8'));

function masked(line: string): string {
  return line
    .replace(/"(requestReceivedTimestamp|stageTimestamp)":"[^"]*"/g, '"$1":"T"')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/"resourceVersion":"\d+"/g, '"resourceVersion":"RV"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"TIME"')
    .replace(/s-[a-z0-9]{5}\b/g, 's-RAND');
}

it('the audit log has the lines of kube-apiserver', async () => {
  const materials = writeMaterials({ 'policy.yaml': recorded.policy, 'tokens.csv': recorded.tokens });
  const flags = ['--audit-policy-file=policy.yaml', '--audit-log-path=audit.log', '--token-auth-file=tokens.csv'];
  const server = await startControlPlane(materials, flags);
  for (const [i, { method, path: called, body, contentType, token, headers }] of recorded.calls.entries()) {
    await server.call(method, called, {
      body,
      headers: {
        'Audit-Id': `a${String(i + 1).padStart(3, '0')}`,
        'User-Agent': 'test',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
        ...headers,
      },
    });
  }
  await server.stop();
  const lines = readFileSync(path.join(materials.folder, 'audit.log'), 'utf8').trimEnd().split('\n');
  materials.remove();
  expect(lines.filter(line => /"auditID":"a\d{3}"/.test(line)).map(masked)).toEqual(recorded.events);
});

it.runIf(process.platform === 'linux')('an audit log on a full disk stops no request, and is reported once', async () => {
  const materials = writeMaterials({ 'policy.yaml': recorded.policy, 'tokens.csv': recorded.tokens });
  const server = await startControlPlane(materials, ['--audit-policy-file=policy.yaml', '--audit-log-path=/dev/full']);
  const answers = [await server.call('GET', '/version'), await server.call('GET', '/version')];
  const stderr = server.stderr();
  await server.stop();
  materials.remove();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(stderr.match(/audit log/g)).toEqual(['audit log']);
  expect(stderr).toContain('error: the audit log /dev/full cannot be written: no space left on device\n');
});

const user = { username: 'eve', uid: '', groups: ['devs'], extra: new Map() };
const parts = { group: '', namespace: 'shop', fieldSelector: '', labelSelector: '' };
const logs = { user, verb: 'get', ...parts, resource: 'pods', subresource: 'log', name: 'a' };

describe('rules of audit policies', () => {
  it.each([
    [{ users: ['eve'], userGroups: ['devs'], verbs: ['get'] }, 'Request'],
    [{ users: ['bob'] }, 'None'],
    [{ userGroups: ['ops'] }, 'None'],
    [{ namespaces: ['shop'] }, 'Request'],
    [{ namespaces: [''] }, 'None'],
    [{ resources: [{ group: '' }] }, 'Request'],
    [{ resources: [{ group: 'apps' }] }, 'None'],
    [{ resources: [{ group: '*', resources: ['pods/log'] }] }, 'Request'],
    [{ resources: [{ resources: ['pods'] }] }, 'None'],
    [{ resources: [{ resources: ['pods/*'] }] }, 'Request'],
    [{ resources: [{ resources: ['*/log'], resourceNames: ['a'] }] }, 'Request'],
    [{ resources: [{ resources: ['*'], resourceNames: ['b'] }] }, 'None'],
    [{ nonResourceURLs: ['*'] }, 'None'],
  ] as const)('%j: %s', (rule, level) => {
    expect(auditDecision({ rules: [{ level: 'Request', ...rule }] }, logs).level).toBe(level);
  });

  it.each([
    ['/healthz*', 'Metadata'],
    ['/healthz/etcd', 'Metadata'],
    ['/healthz', 'None'],
  ])('%s: %s', (pattern, level) => {
    const policy = { rules: [{ level: 'Metadata', nonResourceURLs: [pattern] }] } as const;
    expect(auditDecision(policy, { user, verb: 'get', path: '/healthz/etcd' }).level).toBe(level);
  });

  it('joins the stages of the policy and of the rule', () => {
    const rule = { level: 'Metadata', omitStages: ['ResponseStarted'], omitManagedFields: false } as const;
    expect(auditDecision({ rules: [rule], omitStages: ['RequestReceived'], omitManagedFields: true }, logs)).toEqual({
      level: 'Metadata',
      omitStages: ['RequestReceived', 'ResponseStarted'],
      omitManagedFields: false,
    });
  });
});

describe('audit policies with which kube-apiserver does not start', () => {
  const head = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';
  const { folder, remove } = temporaryFolder({
    'empty.yaml': `${head}rules: []\n`,
    'level.yaml': `${head}rules: [{level: All}, {}]\n`,
    'both.yaml': `${head}rules: [{level: None, namespaces: [a], nonResourceURLs: [/a], omitStages: [Never]}]\n`,
    'kind.yaml': 'apiVersion: v1\nkind: Policy\n',
    'text.yaml': 'text\n',
    'stages.yaml': `${head}omitStages: x\nrules: [{level: None}]\n`,
    'stage.yaml': `${head}omitStages: [1]\nrules: [{level: None}]\n`,
    'null.yaml': `${head}rules: [null]\n`,
    'rules.yaml': `${head}rules: {}\n`,
    'rule.yaml': `${head}rules: [x]\n`,
    'number.yaml': `${head}rules: [{level: 5}]\n`,
    'resource.yaml': `${head}rules: [{level: None, resources: [x]}]\n`,
    'group.yaml': `${head}rules: [{level: None, resources: [{group: 1}]}]\n`,
    'users.yaml': `${head}rules: [{level: None, users: x}]\n`,
    'flag.yaml': `${head}rules: [{level: None, omitManagedFields: x}]\n`,
  });
  afterAll(remove);

  it.each([
    ['empty.yaml', 'loaded illegal policy with 0 rules'],
    [
      'level.yaml',
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse", rules[1].level: Required value',
    ],
    ['both.yaml', 'rules cannot apply to both regular resources and non-resource URLs, rules[0].omitStages[0]: Invalid value: "Never"'],
    ['kind.yaml', 'unknown group version field v1, Kind=Policy in policy'],
    ['text.yaml', 'failed decoding'],
    ['stages.yaml', 'json: cannot unmarshal string into Go struct field Policy.omitStages of type []v1.Stage'],
    ['stage.yaml', 'json: cannot unmarshal number into Go struct field Policy.omitStages of type v1.Stage'],
    ['null.yaml', 'loading audit policy file: rules[0].level: Required value: from file null.yaml'],
    ['rules.yaml', 'json: cannot unmarshal object into Go struct field Policy.rules of type []v1.PolicyRule'],
    ['rule.yaml', 'json: cannot unmarshal string into Go struct field Policy.rules of type v1.PolicyRule'],
    ['number.yaml', 'json: cannot unmarshal number into Go struct field PolicyRule.rules.level of type v1.Level'],
    ['resource.yaml', 'json: cannot unmarshal string into Go struct field PolicyRule.rules.resources of type v1.GroupResources'],
    ['group.yaml', 'json: cannot unmarshal number into Go struct field GroupResources.rules.resources.group of type string'],
    ['users.yaml', 'json: cannot unmarshal string into Go struct field PolicyRule.rules.users of type []string'],
    ['flag.yaml', 'json: cannot unmarshal string into Go struct field PolicyRule.rules.omitManagedFields of type bool'],
  ])('%s', (file, message) => {
    const flags = new Map([['audit-policy-file', [file]]]);
    const read = (): unknown => auditOptions(flags, testSurroundings({ cwd: folder }, { stdout: '', stderr: '' }));
    expect(read).toThrow(StartError);
    expect(read).toThrow(message);
  });
});
