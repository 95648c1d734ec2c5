import { describe, expect, it } from 'vitest';
import { initialized } from './support/initialized.js';

const configuration = (name: string, webhook: string, group = 'stable.example.com'): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: ${name}}
webhooks:
- name: ${webhook}.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /validate}}
  rules: [{apiGroups: [${group}], apiVersions: [v1], operations: [CREATE], resources: ["*"]}]
`;

const definition = (plural: string, description = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: Tab, plural: ${plural}, singular: tab, listKind: TabList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
${description}`;

/** Returns what init prints of the manifests of a project, and what is missing. */
async function manifestsIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { remove, stdout } = await initialized(files);
  remove();
  return stdout.split('\n').filter(line => /^ {2}(configuration|definition) |^missing: a suite/.test(line));
}

describe('init chooses among the manifests of a project', { timeout: 30_000 }, () => {
  it('its own configuration, and not the patches of kustomizations, releases, and those of the tests', async () => {
    const found = await manifestsIn({
      'config/webhook/manifests.yaml': configuration('validating-webhook-configuration', 'vtab'),
      'config/olm/kustomization.yaml': 'resources: [../webhook]\npatches:\n- path: port.yaml\n#- path: name.yaml\n',
      'config/olm/port.yaml': configuration('validating-webhook-configuration', 'vport'),
      'config/olm/name.yaml': configuration('validating-webhook-configuration', 'vname'),
      'releases/v1.yaml': configuration('tab-validating-webhook-configuration', 'vtab'),
      'tests/upgrade/v1.yaml': configuration('tab-validating-webhook-configuration', 'vold'),
      'config/all/install.yaml': configuration('tab-validating-webhook-configuration', 'vtab'),
    });
    expect(found).toEqual(['  configuration  config/webhook/manifests.yaml']);
  });

  it('a configuration in the folder of the tests if the project has no other one', async () => {
    expect(await manifestsIn({ 'tests/webhook.yaml': configuration('v', 'vtab') })).toEqual(['  configuration  tests/webhook.yaml']);
  });

  it('one of two configurations of the same name, and says that the other one needs a suite', async () => {
    const found = await manifestsIn({
      'core/config/webhook/manifests.yaml': configuration('validating-webhook-configuration', 'vcore'),
      'more/config/webhook/manifests.yaml': configuration('validating-webhook-configuration', 'vmore', 'more.example.com'),
    });
    expect(found).toEqual([
      '  configuration  core/config/webhook/manifests.yaml',
      'missing: a suite for the webhooks in more/config/webhook/manifests.yaml: it has a configuration of the same name as another one, and a cluster has one',
    ]);
  });

  it('definitions whose descriptions show a template', async () => {
    const description = `        description: |-
          The name is made of a template.

          It is \`{{ .name }}-{{ .random }}\`.
        properties:
          b:
            type: string
            description: or {{ .b }}, or
              \${VALUE}
`;
    const found = await manifestsIn({
      'config/webhook/manifests.yaml': configuration('v', 'vtab'),
      'config/crd/tabs.yaml': definition('tabs', description),
      'config/crd/tails.yaml': definition('tails', '        description: a\n        default: {"a": "{{ .Values.a }}"}\n'),
    });
    expect(found).toEqual(['  configuration  config/webhook/manifests.yaml', '  definition     config/crd/tabs.yaml']);
  });

  it('none of data of tests', async () => {
    expect(await manifestsIn({ 'go.mod': 'module m\n', 'pkg/testdata/webhook.yaml': configuration('v', 'vtab') })).toEqual([]);
  });

  it('long definitions, and no long bundles', async () => {
    const long = `#${' '.repeat(1_100_000)}\n`;
    const found = await manifestsIn({
      'config/webhook/manifests.yaml': configuration('v', 'vtab'),
      'config/crd/all.yaml': `${long}${definition('tabs')}---\n${definition('tails')}`,
      'config/install.yaml': `${long}${definition('tabs')}---\n${configuration('w', 'vtab')}`,
    });
    expect(found).toEqual(['  configuration  config/webhook/manifests.yaml', '  definition     config/crd/all.yaml']);
  });
});

it('init does not miss fields of samples that a mutating webhook may add', { timeout: 30_000 }, async () => {
  const required = '        required: [a]\n        properties: {a: {type: string}}\n';
  const files = {
    'config/webhook/manifests.yaml': configuration('v', 'mtab').replace('kind: Validating', 'kind: Mutating'),
    'config/crd/tabs.yaml': definition('tabs', required),
    'config/samples/tab.yaml': 'apiVersion: stable.example.com/v1\nkind: Tab\nmetadata: {name: t}\n',
  };
  const { remove, stdout, text } = await initialized(files);
  const suite = text('webhook-tests/first.webhook-test.yaml');
  remove();
  expect(stdout).not.toContain('missing: a sample');
  expect(suite).toContain('  expect: {allowed: true}  # or allowed: false; add called:, message:, object: ...\n');
});
