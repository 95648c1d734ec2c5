import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import Init from '../../commands/init.js';
import Test from '../../commands/test.js';
import { loadSuites } from '../../src/cli/work/suites/load-suites.js';
import { runCommand } from '../support/run-command.js';
import { initialized, masked } from './support/initialized.js';

const configuration = (rule: string, more = ''): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /validate}}
  rules: [{apiVersions: [v1], operations: [CREATE], ${rule}}]
${more}`;

const pods = 'apiGroups: [""], resources: [pods]';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs, singular: crontab, listKind: CronTabList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {schedule: {type: string}}}}}}
`;

const twoVersions = definition.replace(
  '  - name: v1\n',
  `  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, required: [spec], properties: {spec: {type: object, properties: {cron: {type: string}}}}}}
  - name: v1
`,
);

const kubebuilder = {
  PROJECT: 'layout: [go.kubebuilder.io/v4]\n',
  'go.mod': 'module example.com/crontab\nrequire sigs.k8s.io/controller-runtime v0.24.1\n',
  'cmd/main.go': `package main
func main() {
	flag.StringVar(&metricsAddr, "metrics-bind-address", "0", "")
	flag.StringVar(&probeAddr, "health-probe-bind-address", ":8081", "")
	flag.StringVar(&webhookCertPath, "webhook-cert-path", "", "")
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
}
`,
  'config/webhook/manifests.yaml': configuration('apiGroups: [stable.example.com], resources: [crontabs]'),
  'config/default/webhookcainjection_patch.yaml':
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: guard}\n',
  'config/webhook/kustomizeconfig.yaml': 'nameReference: [{kind: Service}]\n',
  'config/crd/bases/crontabs.yaml': definition,
  'config/samples/crontab.yaml': 'apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\nspec: {schedule: "@daily"}\n',
  'config/samples/kustomization.yaml': 'resources: [crontab.yaml]\n',
  'chart/templates/webhook.yaml': '{{ if .Values.on }}\nkind: ValidatingWebhookConfiguration\n{{ end }}\n',
};

/** Fields of the suite, one a line. */
const fields = (text: string): string[] =>
  masked(text)
    .split('\n')
    .filter(line => line !== '' && !/^(#|apiVersion|kind: Suite|snapshot)/.test(line));

describe('init', { timeout: 30_000 }, () => {
  it('writes a suite for a kubebuilder project that starts it and calls its webhooks', async () => {
    const { folder, remove, stdout, text } = await initialized(kubebuilder);
    const suites = await loadSuites(['webhook-tests'], { cwd: folder });
    const written = { suite: fields(text('webhook-tests/first.webhook-test.yaml')), flags: text('webhook-cli.yaml') };
    remove();
    expect(stdout).toBe(`found a kubebuilder project (PROJECT, go.mod), 1 webhook
  configuration  config/webhook/manifests.yaml
  definition     config/crd/bases/crontabs.yaml
wrote webhook-tests/first.webhook-test.yaml
wrote webhook-cli.yaml
next: webhook-cli test webhook-tests
`);
    expect(written.suite).toEqual([
      'exec:',
      '  command: "go run ./cmd --webhook-cert-path=<CERTS> --metrics-bind-address=0 --health-probe-bind-address=127.0.0.1:<PORT2>"',
      '  cwd: ..',
      '  env: {KUBECONFIG: "<KUBECONFIG>"}',
      '  ready: {timeout: 10m}  # the first build takes long',
      'services: {system/webhook-service: "https://127.0.0.1:9443"}',
      'state: [../config/webhook/manifests.yaml, ../config/crd/bases/crontabs.yaml]',
      'cases:',
      '- name: crontab',
      '  filename: ../config/samples/crontab.yaml',
      '  expect: {called: [guard.example.com]}  # add allowed:, message:, object: ...',
    ]);
    expect(written.flags).toContain('service: ["system/webhook-service=https://127.0.0.1:9443"]');
    expect(written.flags).toContain('ca-file: certs/ca.crt  # webhook-cli certs create --service system/webhook-service\n');
    expect(suites.map(({ cases }) => cases.length)).toEqual([1]);
  });

  it('builds the kustomization whose patch sets the conversion webhook of a definition', async () => {
    const files = {
      ...kubebuilder,
      'go.mod': `${kubebuilder['go.mod']}\ngo 1.26.0\n`,
      'config/crd/bases/crontabs.yaml': twoVersions,
      'config/samples/v2.yaml': 'apiVersion: stable.example.com/v2\nkind: CronTab\nmetadata: {name: a}\nspec:\n  # to do\n',
      'config/samples/wrong.yaml': 'apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: b}\nspec: {schedule: 1}\n',
      'config/crd/kustomization.yaml': 'resources: [bases/crontabs.yaml]\npatches: [{path: patches/webhook_in_crontabs.yaml}]\n',
      'config/crd/patches/webhook_in_crontabs.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: {service: {namespace: system, name: conversion-service, path: /convert}}
      conversionReviewVersions: [v1]
`,
    };
    const { remove, stdout, text } = await initialized(files, ['--ci', 'gitlab']);
    const suite = fields(text('webhook-tests/first.webhook-test.yaml'));
    const flags = text('webhook-cli.yaml');
    const pipeline = text('.gitlab-ci.yml');
    remove();
    expect(pipeline).toContain('  image: golang:1.26-trixie\n');
    expect(suite.slice(suite.indexOf('cases:') + 1)).toEqual([
      '- name: "crontab v1"',
      '  filename: ../config/samples/crontab.yaml',
      '  expect: {called: [guard.example.com]}  # add allowed:, message:, object: ...',
      '- name: "crontab v1 in every version"',
      '  filename: ../config/samples/crontab.yaml',
      '  to: all',
      '  expect: {converted: true}  # add round-trip: true to find fields that get lost',
      '- name: "crontab v2"',
      '  filename: crontab-v2.yaml',
      '  expect: {called: [guard.example.com]}  # add allowed:, message:, object: ...',
      '- name: "crontab v2 in every version"',
      '  filename: crontab-v2.yaml',
      '  to: all',
      '  expect: {converted: true}  # add round-trip: true to find fields that get lost',
      '- name: "crontab v1 b"',
      '  filename: ../config/samples/wrong.yaml',
      '  expect: {allowed: true}  # or allowed: false; add called:, message:, object: ...',
      '- name: "crontab v1 b in every version"',
      '  filename: ../config/samples/wrong.yaml',
      '  to: all',
      '  expect: {converted: true}  # add round-trip: true to find fields that get lost',
    ]);
    expect(stdout).toContain('missing: a spec in config/samples/v2.yaml, which the API server refuses without one: ');
    expect(stdout).toContain('missing: a sample that the API server accepts: config/samples/wrong.yaml: ');
    expect(stdout).toContain('  definition     config/crd (kustomize, whose patch sets the conversion webhook)\n');
    expect(suite).toContain('state: [../config/webhook/manifests.yaml, "kustomize:../config/crd"]');
    expect(suite).toContain(
      'services: {system/webhook-service: "https://127.0.0.1:9443", system/conversion-service: "https://127.0.0.1:9443"}',
    );
    expect(flags).toContain('state: [config/webhook/manifests.yaml, "kustomize:config/crd"]');
  });

  it.each([
    [
      'a conversion webhook',
      twoVersions.replace(
        'spec:\n',
        `spec:\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: system, name: webhook-service}}}}\n`,
      ),
      'converts to it, but makes',
    ],
    ['no conversion webhook', twoVersions, 'makes'],
  ])('names a served version without a sample, with %s', async (_, definition, does) => {
    const { remove, stdout } = await initialized({ ...kubebuilder, 'config/crd/bases/crontabs.yaml': definition }, []);
    remove();
    expect(stdout).toContain(`missing: a sample of CronTab in stable.example.com/v2, which is served: the suite ${does} no call in it\n`);
  });

  it('says what to run first in a kubebuilder project without generated manifests, and writes nothing', async () => {
    const { 'config/webhook/manifests.yaml': _, 'config/crd/bases/crontabs.yaml': __, ...files } = kubebuilder;
    const project = 'layout: [go.kubebuilder.io/v4]\nresources:\n- kind: CronTab\n  webhooks:\n    validation: true\n';
    const { folder, remove, stderr, exitCode } = await initialized({ ...files, PROJECT: project });
    const written = readdirSync(folder);
    remove();
    expect(stderr).toContain('error: PROJECT lists webhooks, and no file has their configuration');
    expect(stderr).toContain('run "make manifests", and run init again');
    expect(exitCode).toBe(3);
    expect(written).not.toContain('webhook-tests');
  });

  it('writes a suite that passes in an empty folder, and leaves everything as it is the second time', async () => {
    const { folder, remove, text, stdout } = await initialized({}, ['--ci', 'gitlab']);
    const run = await runCommand(Test, ['webhook-tests', '--check'], { cwd: folder });
    const [before, pipeline] = [text('webhook-tests/first.webhook-test.yaml'), text('.gitlab-ci.yml')];
    const second = await runCommand(Init, [folder, '--ci', 'gitlab']);
    const after = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(stdout).toContain('missing: a webhook configuration: the suite calls the embedded webhook until then\n');
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 passed, 0 failed') });
    expect(after).toBe(before);
    expect(pipeline).toContain('npx --yes webhook-cli@0.1.0 test webhook-tests --check');
    expect(second.stderr).toBe('');
    expect(second.stdout.split('\n').slice(1, 4)).toEqual([
      'a suite exists: webhook-tests/first.webhook-test.yaml: not changed; remove it and webhook-cli.yaml to let init write them from what is there now',
      'webhook-cli.yaml exists: not changed',
      '.gitlab-ci.yml exists: not changed',
    ]);
  });

  it.each<[string, Record<string, string>, RegExp, string | undefined]>([
    [
      'a Go server',
      { 'go.mod': '', 'main.go': 'flag.String("tls-cert-file", "", "")\nflag.String("tls-key-file", "", "")\nflag.Int("port", 8443, "")' },
      /a Go project /,
      'go run . --tls-cert-file=<CERTS>/tls.crt --tls-key-file=<CERTS>/tls.key --port=<PORT>',
    ],
    [
      'a manager that reads the default folder',
      { 'go.mod': 'sigs.k8s.io/controller-runtime', 'main.go': 'ctrl.NewManager()' },
      /controller-runtime/,
      'mkdir -p <CERTS>/k8s-webhook-server && ln -sfn <CERTS> <CERTS>/k8s-webhook-server/serving-certs && TMPDIR=<CERTS> go run .',
    ],
    [
      'Rust',
      {
        'Cargo.toml': '[dependencies]\nkube = "2"',
        'src/main.rs': 'env::var("TLS_CERT_FILE"); env::var("TLS_KEY_FILE"); env::var("PORT")',
      },
      /Rust project with kube/,
      'cargo run',
    ],
    [
      'Rust with fixed paths',
      { 'Cargo.toml': 'kube = "2"', 'src/main.rs': 'serve().run(([0, 0, 0, 0], 8443))' },
      /Rust project with kube/,
      undefined,
    ],
    [
      'kopf',
      { 'requirements.txt': 'kopf', 'app.py': "import kopf\n@kopf.on.validate('pods')" },
      /kopf/,
      'kopf run --standalone --all-namespaces app.py webhook-tests/kopf_server.py',
    ],
    [
      'Flask',
      { 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' },
      /Flask/,
      'flask --app app.py run --port=<PORT> --cert=<CERTS>/tls.crt --key=<CERTS>/tls.key',
    ],
    [
      'Spring Boot',
      { 'pom.xml': '<a>spring-boot</a><b>io.javaoperatorsdk</b>' },
      /Java project with the operator SDK/,
      'mvn -q spring-boot:run',
    ],
    [
      'Quarkus',
      { 'pom.xml': '<a>quarkus</a>' },
      /a Java project /,
      'mvn -q package -DskipTests && exec java -Dquarkus.http.ssl-port=<PORT> -Dquarkus.http.ssl.certificate.files=<CERTS>/tls.crt ' +
        '-Dquarkus.http.ssl.certificate.key-files=<CERTS>/tls.key -Dquarkus.http.port=<PORT2> -jar target/quarkus-app/quarkus-run.jar',
    ],
    ['Pepr', { 'package.json': '{"dependencies": {"pepr": "1"}}' }, /Pepr/, 'npx pepr dev --yes --host localhost'],
    [
      'handlers of this library',
      { 'package.json': '{}', 'hooks.ts': "import { x } from 'webhook-cli';\nexport default x;" },
      /handlers of webhook-cli/,
      'npx --no -- webhook-cli serve --handlers hooks.ts --port <PORT> --cert-dir <CERTS>',
    ],
  ])('starts %s', async (_, files, name, command) => {
    const { remove, stdout, text } = await initialized({ 'config/webhook.yaml': configuration(pods), ...files });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(stdout).toMatch(name);
    expect(/^ {2}command: (.*)$/m.exec(masked(suite))?.[1]).toBe(command === undefined ? undefined : JSON.stringify(command));
    expect(stdout.includes('missing: the command that starts the webhook')).toBe(command === undefined);
  });

  it('sends the calls of a public URL to the process under test, never to that address', async () => {
    const server = "process.env.PORT; process.env.TLS_CERT; process.env.TLS_KEY; createServer({ key: process.env['TLS_KEY'] })";
    const { remove, text } = await initialized({
      'config/webhook.yaml': configuration(pods).replace(/\{service: .*\}$/m, '{url: "https://hooks.example.com/validate"}'),
      'package.json': '{"scripts": {"start": "node server.js"}}',
      'server.js': server,
    });
    const [suite, flags] = [fields(text('webhook-tests/first.webhook-test.yaml')), text('webhook-cli.yaml')];
    remove();
    expect(suite).toContain('urls: {"https://hooks.example.com/validate": "https://127.0.0.1:<PORT>/validate"}');
    expect(flags).toContain('urls: ["https://hooks.example.com/validate=https://127.0.0.1:8443/validate"]');
  });

  it('writes variables of suites only into the suite of a process', async () => {
    const { remove, text } = await initialized({
      'config/webhook.yaml': configuration(pods),
      'package.json': '{}',
      'server.js': 'process.env.PORT',
    });
    const [suite, flags] = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-cli.yaml')];
    remove();
    expect(suite).toContain('services: {system/webhook-service: "https://127.0.0.1:8443"}');
    expect(flags).toContain('service: ["system/webhook-service=https://127.0.0.1:8443"]');
  });

  it('does not expect a number of calls of a webhook that may be called again', async () => {
    const mutating = configuration(pods, '  reinvocationPolicy: IfNeeded\n').replace('Validating', 'Mutating');
    const { remove, text } = await initialized({ 'config/webhook.yaml': mutating });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(suite).toContain('expect: {allowed: true}  # a webhook with reinvocationPolicy: IfNeeded may be called twice');
  });

  it('makes the namespace and the labels that selectors want, and a manifest where the project has none', async () => {
    const selectors =
      '  namespaceSelector: {matchExpressions: [{key: team, operator: In, values: [shop]}]}\n  objectSelector: {matchLabels: {guarded: "yes"}}\n';
    const { remove, text } = await initialized({ 'config/webhook.yaml': configuration(pods, selectors) });
    const written = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-tests/cluster.yaml'), text('webhook-tests/pod.yaml')];
    remove();
    expect(written).toEqual([
      expect.stringMatching(/^namespace: webhook-tests$[\s\S]*called: \[guard\.example\.com\]/m),
      expect.stringMatching(/labels:\n {4}team: shop/),
      expect.stringMatching(/guarded: 'yes'/),
    ]);
  });

  it('prints what it would write with --dry-run', async () => {
    const { folder, remove, stdout } = await initialized(kubebuilder, ['--dry-run', '--ci', 'github']);
    const isWritten = existsSync(path.join(folder, 'webhook-tests')) || existsSync(path.join(folder, '.github'));
    remove();
    expect(isWritten).toBe(false);
    expect(stdout).toContain('would write .github/workflows/webhook-tests.yaml:\n  name: webhook tests\n');
    expect(stdout).toContain('setup-go');
    expect(stdout).not.toContain('next:');
  });

  it.each<[string, Record<string, string>, number, RegExp]>([
    [
      'only a template of a configuration',
      { 'chart/templates/webhook.yaml': 'kind: ValidatingWebhookConfiguration\nx: {{ a }}' },
      3,
      /is the template chart\/templates\/webhook\.yaml; write what it renders to webhook-tests\/configuration\.yaml/,
    ],
    [
      'a configuration that no API server takes',
      { 'a.yaml': configuration(pods).replace('sideEffects: None', 'sideEffects: Some') },
      0,
      /missing: a configuration that the API server accepts: a\.yaml: webhooks\[0\]\.sideEffects/,
    ],
    [
      'no manifest that reaches the webhook',
      { 'a.yaml': configuration('apiGroups: [x.example.com], resources: [xs]') },
      0,
      /missing: a manifest that reaches a webhook/,
    ],
  ])('says what is missing: %s', async (_, files, code, message) => {
    const { remove, stdout, stderr, exitCode } = await initialized(files);
    remove();
    expect({ exitCode, text: stdout + stderr }).toEqual({ exitCode: code, text: expect.stringMatching(message) });
  });

  it('refuses a folder that does not exist', async () => {
    const { exitCode, stderr } = await runCommand(Init, ['/nowhere/at/all']);
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('/nowhere/at/all')]);
  });
});
