import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
// Loaded here, so that loading does not count for the timeout of the first test.
import '../../src/cli/commands/lint/run-lint.js';
import { lintRules } from '../../src/lint/rules/rules.js';
import { lintExample } from '../support/lint-example.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Reported {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** With v1.36: the next minor no longer serves some of its versions. */
async function foundIn(file: string, stdin = ''): Promise<readonly Reported[]> {
  const { stdout, stderr } = await runCommand(Lint, ['-f', file, '-o', 'json', '--kubernetes-version', 'v1.36'], { stdin });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { findings: Reported[] }).findings;
}

/** Rules and positions of the findings in manifests, one per document. */
async function foundInManifests(...manifests: readonly object[]): Promise<string[]> {
  const file = path.join(folder.folder, 'm.yaml');
  writeFileSync(file, manifests.map(manifest => JSON.stringify(manifest, undefined, 1)).join('\n---\n'));
  return (await foundIn(file)).map(({ rule, line }) => `${rule}:${line}`);
}

const webhook = {
  name: 'w.example.com',
  clientConfig: { url: 'https://w.example.com/' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Fail',
  namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  rules: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
};

function configuration(phase: 'Mutating' | 'Validating', parts: object = {}): object {
  const kind = `${phase}WebhookConfiguration`;
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'c' }, webhooks: [{ ...webhook, ...parts }] };
}

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('a lint rule', () => {
  it.each(lintRules.map(({ id }) => id))('%s finds the fields in the bad part of its example, and nothing in the good part', async id => {
    const { bad, findings, good } = lintExample(id);
    const found = (await foundIn('-', bad)).filter(({ rule }) => rule === id);
    expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(findings);
    expect((await foundIn('-', good)).map(({ rule }) => rule)).not.toContain(id);
  });

  it('has no example of another rule', () => {
    expect(readdirSync('fixtures/lint').sort()).toEqual(lintRules.map(({ id }) => `${id}.yaml`).sort());
  });

  it.each([
    ["object.metadata.name != 'a'", 'the condition c reads object, which is null on DELETE: no such key: metadata'],
    ["oldObject.metadata.name != 'a'", 'the condition c reads oldObject, which is null on CREATE: no such key: metadata'],
    ["request.subResource != 'status'", 'the condition c reads subResource, which may be missing, on CREATE: no such key: subResource'],
    [
      "request.operation == 'DELETE' || (has(object.metadata.labels) && object.metadata.labels.app == 'a')",
      'the condition c reads app, which may be missing, on CREATE: no such key: app',
    ],
    ["request.operation == 'DELETE' || object.spec.replicas > 1", undefined],
    ["object == null || object.metadata.?labels.app.orValue('') == 'a'", undefined],
  ])('tries conditions on requests: %s', async (expression, message) => {
    const file = path.join(folder.folder, 'c.json');
    writeFileSync(file, JSON.stringify(configuration('Validating', { matchConditions: [{ name: 'c', expression }] })));
    const found = (await foundIn(file)).filter(({ rule }) => rule.startsWith('condition-'));
    expect(found.map(one => one.message)).toEqual(message === undefined ? [] : [message]);
  });

  it('finds versions that go away in the rules of policies and bindings', async () => {
    const resourceRules = [
      { operations: ['CREATE'], apiGroups: ['networking.k8s.io'], apiVersions: ['v1beta1'], resources: ['ipaddresses'] },
    ];
    const object = (kind: string, spec: object) => ({
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'p' }, spec },
    });
    const found = await foundInManifests(
      object('ValidatingAdmissionPolicy', { matchConstraints: { resourceRules }, validations: [{ expression: 'true' }] }),
      object('ValidatingAdmissionPolicyBinding', {
        ...{ policyName: 'p', validationActions: ['Deny'], matchResources: { excludeResourceRules: resourceRules } },
      }),
    );
    expect(found).toEqual(['version-goes-away:17', 'version-goes-away:54']);
  });

  it('adds up the timeouts of webhooks that can be called for one pod', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
    const selecting = (operator: string, values?: string[]) => ({
      matchExpressions: [{ key: 'inject', operator, ...(values && { values }) }],
    });
    const adding = (...selectors: object[]) =>
      foundInManifests({
        ...configuration('Mutating'),
        webhooks: selectors.map((namespaceSelector, i) => ({
          ...webhook,
          ...{ name: `w${i}.example.com`, rules, failurePolicy: 'Ignore', timeoutSeconds: 20, namespaceSelector },
        })),
      });
    expect(await adding(selecting('In', ['yes', 'always']), selecting('NotIn', ['yes']))).toEqual(['timeouts-past-deadline:85']);
    expect(await adding(selecting('In', ['yes']), selecting('NotIn', ['yes']))).toEqual([]);
    expect(await adding(selecting('Exists'), selecting('DoesNotExist'))).toEqual([]);
  });

  it('takes webhooks for labelled objects for optional, and namespaces without the label for others', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
    const selecting = (operator: string, ...others: object[]) => {
      const namespaceSelector = { matchExpressions: [{ key: 'check', operator, ...(operator === 'NotIn' && { values: ['no'] }) }] };
      return foundInManifests(configuration('Validating', { rules, failurePolicy: 'Ignore', namespaceSelector }), ...others);
    };
    expect(await selecting('NotIn')).toEqual(['ignored-validation:17']);
    expect(await selecting('Exists')).toEqual([]);
    const namespace = (labels: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'operator', labels } });
    expect(await selecting('Exists', namespace({ app: 'operator' }))).toEqual([]);
    expect(await selecting('NotIn', namespace({ check: 'no' }))).toContain('ignored-validation:17');
  });

  it('learns nothing about other namespaces from that of the webhook itself', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }];
    const namespaceSelector = { matchLabels: { include: 'yes' } };
    const withService = (name: string) =>
      foundInManifests(
        configuration('Validating', {
          ...{ rules, failurePolicy: 'Ignore', namespaceSelector, clientConfig: { service: { namespace: 'operator', name: 'webhook' } } },
        }),
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { include: 'no' } } },
      );
    const rule = expect.stringMatching(/^selector-without-match:/);
    expect(await withService('operator')).not.toContainEqual(rule);
    expect(await withService('team')).toContainEqual(rule);
  });

  it('shows where a format is that the API server does not know', async () => {
    const properties = { size: { type: 'integer', format: 'int32' }, limit: { type: 'string', format: 'int32' } };
    const spec = {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'tasks', singular: 'task', kind: 'Task', listKind: 'TaskList' } },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } }],
    };
    const metadata = { name: 'tasks.example.com' };
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata, spec };
    expect(await foundInManifests(definition)).toEqual(['api-warns:31']);
  });

  it('searches all webhooks for DELETE, and ignores subresources', async () => {
    const rule = { apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] };
    const updating = (resources: string[]) => ({ ...webhook, rules: [{ ...rule, resources, operations: ['UPDATE'] }] });
    const deleting = { ...webhook, name: 'd.example.com', rules: [{ ...rule, operations: ['DELETE'] }] };
    const finding = (...webhooks: object[]) => foundInManifests({ ...configuration('Validating'), webhooks });
    expect(await finding(updating(['widgets']))).toEqual(['missing-delete:37']);
    expect(await finding(updating(['widgets']), deleting)).toEqual([]);
    expect(await finding(updating(['widgets/scale']))).toEqual([]);
  });

  it('skips the webhook if a condition is false, as the API server does', async () => {
    const matchConditions = [
      { name: 'not-delete', expression: "request.operation != 'DELETE'" },
      { name: 'named', expression: "object.metadata.name != 'a'" },
    ];
    expect(await foundInManifests(configuration('Validating', { matchConditions }))).toEqual([]);
  });
});

describe('lint', () => {
  it('exits with 1 for findings of the requested severity or higher', async () => {
    const file = 'fixtures/lint/intercepts-kube-system.yaml';
    const codes = await Promise.all(
      [
        [],
        ['--fail-on', 'warning'],
        ['--rule', 'intercepts-kube-system=error'],
        ['--fail-on', 'warning', '--rule', 'intercepts-kube-system=off'],
      ].map(async more => (await runCommand(Lint, ['-f', file, ...more])).exitCode),
    );
    expect(codes).toEqual([0, 1, 1, 0]);
  });

  it('reports rejections by the API server with their fields', async () => {
    const { stdout, exitCode } = await runCommand(Lint, ['-f', 'fixtures/lint/side-effects-forbid-dry-run.yaml']);
    expect(stdout).toContain('webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun" [api-refuses]');
    expect(exitCode).toBe(1);
  });

  it('writes workflow commands and SARIF', async () => {
    const file = 'fixtures/lint/missing-subresources.yaml';
    const github = await runCommand(Lint, ['-f', file, '-o', 'github']);
    expect(github.stdout).toBe(
      `::warning file=${file},line=17,col=9,title=missing-subresources::policy/policy.example.com: it validates pods, but not pods/ephemeralcontainers\n`,
    );
    const sarif = await runCommand(Lint, ['-f', file, '-o', 'sarif']);
    const log = JSON.parse(sarif.stdout) as { version: string; runs: { results: { ruleId: string; level: string }[] }[] };
    expect([log.version, log.runs[0]?.results.map(({ ruleId, level }) => [ruleId, level])]).toEqual([
      '2.1.0',
      [['missing-subresources', 'warning']],
    ]);
  });

  it('distinguishes configurations of one name', async () => {
    expect(await foundInManifests(configuration('Mutating', { sideEffects: 'Some' }), configuration('Validating'))).toEqual([
      'api-refuses:16',
      'side-effects-forbid-dry-run:16',
    ]);
  });

  it('reports rejections at their fields, also in lists', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [configuration('Mutating', { timeoutSeconds: 31 })] };
    expect(await foundInManifests(list)).toEqual(['api-refuses:48']);
  });

  it('reports that a version is not served', async () => {
    const old = { ...configuration('Validating'), apiVersion: 'admissionregistration.k8s.io/v1beta1' };
    expect(await foundInManifests(old)).toEqual(['api-refuses:2']);
  });

  it('requires webhook configurations or CRDs', async () => {
    const { stderr, exitCode } = await runCommand(Lint, ['-f', 'fixtures/manifests/pod-sidecar.yaml']);
    expect(stderr).toContain('no webhook configurations, admission policies, CustomResourceDefinitions or APIServices found');
    expect(exitCode).toBe(3);
  });

  it('describes every rule in SARIF, with its position', async () => {
    const { stdout } = await runCommand(Lint, ['-f', 'fixtures/lint/side-effects-forbid-dry-run.yaml', '-o', 'sarif']);
    interface Log {
      readonly runs: readonly {
        readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
        readonly results: readonly { readonly ruleId: string; readonly locations: readonly { readonly physicalLocation: object }[] }[];
      }[];
    }
    const [run] = (JSON.parse(stdout) as Log).runs;
    const described = run?.tool.driver.rules.map(({ id }) => id);
    expect(described).toEqual(expect.arrayContaining(run?.results.map(({ ruleId }) => ruleId) ?? ['none']));
    expect(run?.results[0]?.locations[0]?.physicalLocation).toMatchObject({ region: { startLine: 9, startColumn: 5 } });
  });

  it('reports for Code Quality of GitLab, with fingerprints that stay when lines move', async () => {
    const findingsOf = async (...objects: readonly object[]): Promise<readonly { severity: string; fingerprint: string }[]> => {
      const stdin = objects.map(object => JSON.stringify(object)).join('\n---\n');
      return JSON.parse((await runCommand(Lint, ['-f', '-', '-o', 'gitlab'], { stdin })).stdout);
    };
    const risky = configuration('Validating', { sideEffects: 'Some' });
    const [finding] = await findingsOf(risky);
    expect(finding).toMatchObject({ check_name: 'api-refuses', severity: 'major', location: { path: 'STDIN', lines: { begin: 1 } } });
    const twice = await findingsOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } }, risky, risky);
    const fingerprints = twice.map(({ fingerprint }) => fingerprint);
    expect(fingerprints).toContain(finding?.fingerprint);
    expect(new Set(fingerprints).size).toBe(twice.length);
  });

  it('rejects an unknown rule', async () => {
    const { stderr, exitCode } = await runCommand(Lint, ['-f', 'fixtures/lint/missing-delete.yaml', '--rule', 'missing-delet=off']);
    expect(stderr).toContain('did you mean missing-delete?');
    expect(exitCode).toBe(2);
  });
});
