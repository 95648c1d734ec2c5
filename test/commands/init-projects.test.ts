import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { initialized, masked } from './support/initialized.js';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs, singular: crontab, listKind: CronTabList, shortNames: [ct]}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
`;

const sample = 'apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a, namespace: shop}\n';

const template = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    caBundle: "\${CA_BUNDLE}"
    url: "https://\${HOST_IP}:8443/mutate"
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
`;

/** Without variables. */
const configuration = template.replace(/^ +caBundle.*\n/m, '').replace(/\$\{HOST_IP\}/, '127.0.0.1');

const handlers = `import kopf
@kopf.on.startup()
def configure(settings, **_):
    settings.admission.server = kopf.WebhookAutoTunnel()
@kopf.on.validate('stable.example.com', 'v1', 'crontabs', id='check')
def check(**_): pass
`;

const capability = `import { Capability, a } from 'pepr';
const { When } = new Capability({ name: 'hello' });
When(a.ConfigMap).IsCreated().Watch(() => {});
When(a.Secret)
  .IsCreated()
  .InNamespace("hello")
  .Mutate(secret => secret.SetLabel('seen', 'yes'));
`;

const startLine = (suite: string): string | undefined => /^ {2}command: "(.*)"$/m.exec(masked(suite))?.[1];

describe('init in projects of several languages', { timeout: 30_000 }, () => {
  it('serves the handlers of kopf with the certificate of the suite, and finds the resource that they validate', async () => {
    const { remove, stdout, text } = await initialized({ 'app.py': handlers, 'crd.yaml': definition, 'sample.yaml': sample });
    const [suite, server] = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-tests/kopf_server.py')];
    remove();
    expect(startLine(suite)).toBe('kopf run --standalone --all-namespaces app.py webhook-tests/kopf_server.py');
    expect(masked(suite)).toContain('env: {KUBECONFIG: "<KUBECONFIG>", CERTS: "<CERTS>"}');
    expect(suite).toMatch(/^state: \[\.\.\/crd\.yaml, cluster\.yaml\]\n[\s\S]*filename: \.\.\/sample\.yaml$/m);
    expect(suite).toContain('  ready: {log: "Reconfiguring the (mutating|validating) webhook"}\n');
    expect(server).toMatch(/certfile=f'\{certs\}\/tls\.crt',\n *pkeyfile=f'\{certs\}\/tls\.key'/);
    expect(stdout).toMatch(/^found a Python project with kopf \(app\.py\), which registers its webhooks\n/);
    expect(stdout).not.toContain('missing:');
  });

  it.each([
    ['its short name', "'ct'"],
    ['its plural and group', "'crontabs.stable.example.com'"],
    ['its kind', "'CronTab'"],
  ])('finds the resource of a kopf handler by %s', async (_, given) => {
    const app = `import kopf\n@kopf.on.mutate(${given})\ndef f(**_): pass\n`;
    const { remove, text } = await initialized({ 'app.py': app, 'crd.yaml': definition, 'sample.yaml': sample });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(suite).toContain('filename: ../sample.yaml');
  });

  it('names the resource whose definition and manifest are missing', async () => {
    const { remove, stdout } = await initialized({ 'app.py': handlers });
    remove();
    expect(stdout).toContain(
      'missing: a manifest of crontabs, and its definition if it is a custom resource: add them, and run init again\n',
    );
    expect(stdout).not.toContain('next:');
  });

  it('writes an object of the kind that a Pepr capability changes, not of one that it watches', async () => {
    const { remove, text } = await initialized({ 'package.json': '{"dependencies": {"pepr": "1"}}', 'capabilities/hello.ts': capability });
    const [suite, secret] = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-tests/secret.yaml')];
    remove();
    expect(suite).toContain('filename: secret.yaml');
    expect(secret).toContain('kind: Secret');
  });

  it('writes what a template of a configuration renders to if only the caBundle and the host are variable', async () => {
    const { remove, stdout, text } = await initialized({ 'deploy/webhook.yaml.tpl': template });
    const [suite, configuration] = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-tests/configuration.yaml')];
    remove();
    expect(stdout).toContain('configuration  webhook-tests/configuration.yaml\n');
    expect(suite).toContain('state: [configuration.yaml]');
    expect(configuration).toContain('url: "https://127.0.0.1:8443/mutate"');
    expect(configuration).not.toContain('caBundle');
  });

  it('leaves templates alone where a configuration can be read', async () => {
    const { folder, remove, stdout } = await initialized({ 'deploy/webhook.yaml.tpl': template, 'webhook.yaml': configuration });
    const isWritten = existsSync(path.join(folder, 'webhook-tests/configuration.yaml'));
    remove();
    expect([isWritten, stdout]).toEqual([false, expect.stringContaining('1 webhook\n  configuration  webhook.yaml\n')]);
  });

  it('tells how to render the chart that a template belongs to', async () => {
    const helm = template.replace('name: guard}', 'name: {{ .Release.Name }}}');
    const { remove, stderr, exitCode } = await initialized({
      'charts/guard/Chart.yaml': 'name: guard',
      'charts/guard/templates/a.yaml': helm,
    });
    remove();
    expect([exitCode, stderr]).toEqual([
      3,
      expect.stringContaining(
        'mkdir -p webhook-tests && helm template charts/guard > webhook-tests/configuration.yaml, and run init again',
      ),
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'with the flags of clap',
      {
        'Cargo.toml': '[dependencies]\nkube = "2"',
        'src/main.rs':
          'use kube::core::admission::AdmissionReview;\nfn main() {}\nstruct Args {\n    #[arg(long, default_value_t = 8443)]\n    port: u16,\n' +
          '    /// Certificate.\n    #[arg(long, help = "a file")]\n    pub cert_path: PathBuf,\n    #[clap(long = "key-file")]\n    key: PathBuf,\n}',
      },
      // The port of the URL in the configuration.
      'cargo run -- --cert-path=<CERTS>/tls.crt --key-file=<CERTS>/tls.key --port=8443',
    ],
    [
      'in a workspace',
      {
        'Cargo.toml': '[workspace]\nmembers = ["core", "hook"]',
        'core/Cargo.toml': '',
        'core/src/lib.rs': 'struct AdmissionReview;',
        'hook/Cargo.toml': 'kube = "2"',
        'hook/src/main.rs': 'AdmissionReview; fn main() { env::var("TLS_CERT_FILE"); env::var("TLS_KEY_FILE"); }',
      },
      'cargo run --manifest-path hook/Cargo.toml',
    ],
    [
      'as an example of a crate',
      {
        'Cargo.toml': 'kube = "2"',
        'src/lib.rs': '',
        'examples/guard.rs': 'AdmissionReview; fn main() { env::var("CERT_FILE"); env::var("TLS_KEY_FILE"); }',
      },
      'cargo run --example guard',
    ],
  ])('starts a webhook in Rust %s', async (_, files, command) => {
    const { remove, text } = await initialized({ 'webhook.yaml': configuration, ...files });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(startLine(suite)).toBe(command);
  });

  it('builds the other modules of a Maven project first', async () => {
    const { remove, text } = await initialized({
      'webhook.yaml': configuration,
      'pom.xml': '<modules><module>core</module><module>server</module></modules>',
      'core/pom.xml': '',
      'server/pom.xml': '<a>spring-boot</a>',
    });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(startLine(suite)).toBe('mvn -q -pl server -am install -DskipTests && mvn -q -f server/pom.xml spring-boot:run');
  });

  it('names the certificate that a program always reads', async () => {
    const main = 'http.ListenAndServeTLS(":8443", "/etc/tls/cert.pem", "/etc/tls/key.pem", nil)';
    const { remove, stdout } = await initialized({ 'webhook.yaml': configuration, 'go.mod': '', 'main.go': main });
    remove();
    expect(stdout).toContain(`; its source reads /etc/tls/cert.pem and /etc/tls/key.pem, the suite's pair is in \${CERTS}\n`);
  });

  it('accepts other objects in the file of a configuration', async () => {
    const { remove, stdout } = await initialized({
      'webhook.yaml': `${configuration}---\napiVersion: v1\nkind: Service\nmetadata: {name: guard}\n`,
    });
    remove();
    expect(stdout).not.toContain('that the API server accepts');
  });
});
