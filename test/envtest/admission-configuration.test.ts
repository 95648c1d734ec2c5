import { describe, expect, it, onTestFinished } from 'vitest';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { admissionConfiguration } from '../../src/envtest/admission-configuration.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const podSecurity = 'pod-security.admission.config.k8s.io/v1 PodSecurityConfiguration';
const quota = 'apiserver.config.k8s.io/v1 ResourceQuotaConfiguration';
const oldQuota = 'resourcequota.admission.k8s.io/v1beta1 Configuration';
const tolerations = 'podtolerationrestriction.admission.k8s.io/v1alpha1 Configuration';

function readIn(members: object): ReadonlyMap<string, unknown> {
  const { folder, remove } = temporaryFolder({
    'admission.yaml': JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', ...members }),
  });
  onTestFinished(remove);
  return admissionConfiguration(apiServers(), 'admission.yaml', ['PodSecurity', 'ResourceQuota', 'PodTolerationRestriction'], folder);
}

function configured(plugin: string, type: string, members: object): object {
  const [apiVersion, kind] = type.split(' ');
  return { plugins: [{ name: plugin, configuration: { apiVersion, kind, ...members } }] };
}

/** Files and the errors of kube-apiserver v1.36.3. */
describe('configurations of admission with values of other types', () => {
  it.each([
    ['PodSecurity', podSecurity, { defaults: { enforce: 5 } }, 'number', 'PodSecurityDefaults.defaults.enforce of type string'],
    ['PodSecurity', podSecurity, { defaults: ['a'] }, 'array', 'PodSecurityConfiguration.defaults of type v1.PodSecurityDefaults'],
    [
      'PodSecurity',
      podSecurity,
      { exemptions: { usernames: 'a' } },
      'string',
      'PodSecurityExemptions.exemptions.usernames of type []string',
    ],
    [
      'PodSecurity',
      podSecurity,
      { exemptions: { namespaces: [1] } },
      'number',
      'PodSecurityExemptions.exemptions.namespaces of type string',
    ],
    ['ResourceQuota', quota, { limitedResources: 'a' }, 'string', 'Configuration.limitedResources of type []v1.LimitedResource'],
    ['ResourceQuota', oldQuota, { limitedResources: [5] }, 'number', 'Configuration.limitedResources of type v1beta1.LimitedResource'],
    ['PodTolerationRestriction', tolerations, { default: 5 }, 'number', 'Configuration.default of type []v1.Toleration'],
  ])('%s, %s %j: cannot unmarshal %s', (plugin, type, members, found, field) => {
    const message = `couldn't init admission plugin "${plugin}": json: cannot unmarshal ${found} into Go struct field ${field}`;
    expect(() => readIn(configured(plugin, type, members))).toThrow(`failed to apply admission: ${message}`);
  });

  it.each([
    [{ plugins: 'a' }, 'string', 'AdmissionConfiguration.plugins of type []v1.AdmissionPluginConfiguration'],
    [{ plugins: ['a'] }, 'string', 'AdmissionConfiguration.plugins of type v1.AdmissionPluginConfiguration'],
    [{ plugins: [{ name: 5 }] }, 'number', 'AdmissionPluginConfiguration.plugins.name of type string'],
    [{ plugins: [{ name: 'PodSecurity', path: 5 }] }, 'number', 'AdmissionPluginConfiguration.plugins.path of type string'],
  ])('%j: cannot unmarshal %s', (members, found, field) => {
    const message = `failed to read plugin config: json: cannot unmarshal ${found} into Go struct field ${field}`;
    expect(() => readIn(members)).toThrow(`failed to apply admission: ${message}`);
  });

  it('has the error of Go for a configuration that is not an object', () => {
    expect(() => readIn({ plugins: [{ name: 'PodSecurity', configuration: 'a' }] })).toThrow(
      'failed to apply admission: couldn\'t init admission plugin "PodSecurity": couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    );
  });

  it('reads fields with null and with the right types', () => {
    const read = readIn(configured('PodSecurity', podSecurity, { defaults: { enforce: 'baseline', audit: null }, exemptions: null }));
    expect([...read.keys()]).toEqual(['PodSecurity']);
  });
});

/** Configurations of webhooks and policies, and the errors of kube-apiserver v1.36.3; undefined where it starts. */
it.each([
  [
    'ValidatingAdmissionWebhook',
    'WebhookAdmissionConfiguration',
    { kubeConfigFile: 'kube' },
    'kubeConfigFile: Invalid value: "kube": must be an absolute file path',
  ],
  ['ValidatingAdmissionWebhook', 'WebhookAdmissionConfiguration', { foo: 1 }, 'strict decoding error: unknown field "foo"'],
  [
    'ValidatingAdmissionWebhook',
    'Foo',
    {},
    'no kind "Foo" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  ['MutatingAdmissionWebhook', 'WebhookAdmissionConfiguration', { kubeConfigFile: '/missing' }, 'stat /missing: no such file or directory'],
  [
    'MutatingAdmissionWebhook',
    'WebhookAdmissionConfiguration',
    { kubeConfigFile: 5 },
    'json: cannot unmarshal number into Go struct field WebhookAdmission.kubeConfigFile of type string',
  ],
  [
    'MutatingAdmissionWebhook',
    'WebhookAdmissionConfiguration',
    { staticManifestsDir: '/a' },
    'staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
  ],
  [
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyConfiguration',
    { staticManifestsDir: '/a' },
    'staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
  ],
  ['ValidatingAdmissionWebhook', 'WebhookAdmissionConfiguration', {}, undefined],
  ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyConfiguration', {}, undefined],
])('the configuration of %s: %s %j', (plugin, kind, members, reason) => {
  const { folder, remove } = temporaryFolder({
    'admission.yaml': JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      ...configured(plugin, `apiserver.config.k8s.io/v1 ${kind}`, members),
    }),
  });
  onTestFinished(remove);
  const readConfiguration = () => admissionConfiguration(apiServers(), 'admission.yaml', [plugin], folder);
  if (reason === undefined) expect([...readConfiguration().keys()]).toEqual([plugin]);
  else expect(readConfiguration).toThrow(`failed to apply admission: couldn't init admission plugin "${plugin}": ${reason}`);
});
