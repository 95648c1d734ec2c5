import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { configuration, initialized, masked } from './support/initialized.js';

const main = 'package main\n\nimport "example.com/guard/cmd"\n\nfunc main() { cmd.Execute() }\n';
const commands = `package cmd

var review admission.AdmissionReview

func init() {
	root.Flags().StringVar(&cert, "tls-cert", "", "certificate")
	root.Flags().StringVar(&key, "tls-key", "", "key")
	root.PersistentFlags().IntVar(&port, "port", 443, "port")
}
`;
const structTags = `package main

type settings struct {
	Cert string \`env:"CERT_PATH" envDefault:"/source/cert.pem"\`
	Key  string \`env:"KEY_PATH,required"\`
	Port int    \`env:"PORT" envDefault:"3000"\`
}
`;
const fixedPair = 'http.ListenAndServeTLS(":"+os.Getenv("PORT"), "/tls/tls.crt", "/tls/tls.key", nil); AdmissionReview{}';
const goModule = 'module example.com/guard\n\ngo 1.22\n';

/** Returns the lines of the suite that start the webhook. */
async function startOf(files: Readonly<Record<string, string>>) {
  const { remove, stdout, text } = await initialized({ 'deploy/webhook.yaml': configuration, ...files });
  const suite = masked(text('webhook-tests/first.webhook-test.yaml'));
  remove();
  const start = suite.slice(suite.indexOf('exec:'), suite.indexOf('services:')).replace(/ +ready: .*\n/, '');
  return { stdout, suite, start };
}

describe('init finds the start of a webhook', { timeout: 30_000 }, () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'whose flags are in a package that main imports',
      { 'go.mod': goModule, 'main.go': main, 'cmd/root.go': commands },
      'exec:\n  command: "go run . --tls-cert=<CERTS>/tls.crt --tls-key=<CERTS>/tls.key --port=<PORT>"\n  cwd: ..\n',
    ],
    [
      'without flags that are commented out',
      {
        'go.mod': goModule,
        'main.go': `${structTags}// flag.StringVar(&cert, "tls-cert", "", "")\n/* flag.StringVar(&key, "tls-key", "", "") */`,
      },
      'exec:\n  command: "go run ."\n  cwd: ..\n  env: {CERT_PATH: "<CERTS>/tls.crt", KEY_PATH: "<CERTS>/tls.key", PORT: "<PORT>"}\n',
    ],
    [
      'whose main function is in a file of another name',
      {
        'go.mod': goModule,
        'server.go': `package main\n\nfunc main() { flag.String("server-cert", "", ""); flag.String("server-key", "", ""); flag.Int("port", 1, "") }`,
      },
      'exec:\n  command: "go run . --server-cert=<CERTS>/tls.crt --server-key=<CERTS>/tls.key --port=<PORT>"\n  cwd: ..\n',
    ],
    [
      'that serves TLS only if a variable says so',
      { 'go.mod': goModule, 'main.go': `${structTags}func main() { if os.Getenv("TLS") == "true" { serve() } }` },
      'exec:\n  command: "go run ."\n  cwd: ..\n  env: {CERT_PATH: "<CERTS>/tls.crt", KEY_PATH: "<CERTS>/tls.key", PORT: "<PORT>", TLS: "true"}\n',
    ],
    [
      'whose variables are in the tags of a struct',
      { 'go.mod': goModule, 'main.go': structTags },
      'exec:\n  command: "go run ."\n  cwd: ..\n  env: {CERT_PATH: "<CERTS>/tls.crt", KEY_PATH: "<CERTS>/tls.key", PORT: "<PORT>"}\n',
    ],
    [
      'in a folder below that of the project',
      { 'src/webhook/go.mod': goModule, 'src/webhook/main.go': structTags },
      'exec:\n  command: "go run ."\n  cwd: ../src/webhook\n  env: {CERT_PATH: "<CERTS>/tls.crt", KEY_PATH: "<CERTS>/tls.key", PORT: "<PORT>"}\n',
    ],
    [
      'beside a folder with other code',
      {
        'portal/package.json': '{"scripts": {"start": "vite"}}',
        'server/go.mod': goModule,
        'server/main.go': `${structTags}AdmissionReview{}`,
      },
      'exec:\n  command: "go run ."\n  cwd: ../server\n  env: {CERT_PATH: "<CERTS>/tls.crt", KEY_PATH: "<CERTS>/tls.key", PORT: "<PORT>"}\n',
    ],
    [
      'whose variables are beside those that every pod has, and that asks the API server',
      {
        'requirements.txt': 'kubernetes',
        'app.py':
          'import kubernetes\nAdmissionReview\nos.getenv("KUBERNETES_SERVICE_PORT"), os.getenv("TLS_CERT"), os.getenv("TLS_KEY")\nrun(port=8443)',
      },
      'exec:\n  command: "python3 app.py"\n  cwd: ..\n  env: {TLS_CERT: "<CERTS>/tls.crt", TLS_KEY: "<CERTS>/tls.key", KUBECONFIG: "<KUBECONFIG>"}\n',
    ],
    [
      'with certificates in its folder',
      {
        'hook/requirements.txt': '',
        'hook/app.py': 'AdmissionReview\nload_cert_chain("certs/tls.crt", "certs/tls.key")\nserve(port=8443)',
        ...{ 'hook/certs/tls.crt': '', 'hook/certs/tls.key': '', 'hook/certs/ca.crt': '' },
      },
      'exec:\n  command: "python3 app.py"\n  cwd: ../hook\nca-file: ../hook/certs/ca.crt\n',
    ],
    [
      'whose flags are those of urfave/cli, and whose port is in the address of a server',
      {
        'go.mod': goModule,
        'main.go':
          'func main() { a := []cli.Flag{&cli.StringFlag{\n Name: "tls-certs-dir",\n}} }\nvar s = http.Server{\n\tAddr: ":8443",\n}',
      },
      'exec:\n  command: "go run . --tls-certs-dir=<CERTS>"\n  cwd: ..\n',
    ],
    [
      'that takes the text of its certificate from variables',
      {
        'go.mod': goModule,
        'main.go': 'func main() { tls.X509KeyPair([]byte(os.Getenv("CERT")), []byte(os.Getenv("KEY"))); listen(os.Getenv("PORT")) }',
      },
      'exec:\n  command: "CERT=\\"$(cat <CERTS>/tls.crt)\\" KEY=\\"$(cat <CERTS>/tls.key)\\" go run ."\n  cwd: ..\n  env: {PORT: "<PORT>"}\n',
    ],
  ])('%s', async (_, files, expected) => {
    const { stdout, start } = await startOf(files);
    expect(start).toBe(expected);
    expect(stdout).not.toContain('missing:');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a Go program', { 'go.mod': goModule, 'main.go': fixedPair }, 'exec:\n  command: "go run ."\n  cwd: ..\n  env: {PORT: "<PORT>"}\n'],
    [
      'a Node program in a folder',
      {
        'hook/package.json': '{"scripts": {"start": "node app.js"}}',
        'hook/Dockerfile': 'FROM node\nCMD ["npm", "start"]\n',
        'hook/app.js': "createServer({key: read('/tls/tls.key'), cert: read('/tls/tls.crt')}).listen(4443)",
      },
      'exec:\n  command: "npm start"\n  cwd: ../hook\n',
    ],
    [
      'a Go program with its folder in a constant',
      { 'go.mod': goModule, 'main.go': 'const (\n dir = `/tls`\n cert = `tls.crt`\n key = "tls.key"\n)\nfunc main() { listen(":8443") }' },
      'exec:\n  command: "go run ."\n  cwd: ..\n',
    ],
    [
      'a Node program in a folder below that of its image',
      {
        'src/package.json': '{}',
        'src/server.js': "app.listen({key: read('/tls/tls.key'), cert: read('/tls/tls.crt'), port: 8443})",
        'src/libs/answer.js': '"AdmissionReview"',
        Dockerfile: 'FROM node\nCOPY src .\nENTRYPOINT ["/tini", "--"]\nCMD ["node", "server.js"]\n',
      },
      'exec:\n  command: "node server.js"\n  cwd: ../src\n',
    ],
    [
      'a Python program whose server is not in the file with the reviews',
      { 'answer.py': 'AdmissionReview', 'server.py': "load('/tls/tls.crt', '/tls/tls.key')\napp.run(port=8443)" },
      'exec:\n  command: "python3 server.py"\n  cwd: ..\n',
    ],
  ])('of %s that always reads the same certificate, and says how to create it', async (_, files, expected) => {
    const { stdout, start } = await startOf(files);
    expect(start).toBe(`${expected}ca-file: /tls/ca.crt\n`);
    expect(stdout).toContain(
      'missing: a certificate in /tls, where the program always reads it: webhook-cli certs create --out-dir /tls --service shop/guard, or let a variable set the folder',
    );
  });

  it('of a program whose certificate is in its place already', async () => {
    const { folder, remove } = temporaryFolder({ 'tls.crt': '', 'tls.key': '', 'ca.crt': '' });
    const { stdout, start } = await startOf({ 'go.mod': goModule, 'main.go': fixedPair.replaceAll('/tls/', `${folder}/`) });
    remove();
    expect(start).toContain(`ca-file: ${folder}/ca.crt\n`);
    expect(stdout).not.toContain('missing:');
  });

  it.each([
    ['package-lock.json', 'npm ci'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['README.md', 'npm install'],
  ])('of a Node program beside %s, and says how to install its dependencies', async (lockfile, command) => {
    const files = {
      'hook/package.json': '{"scripts": {"start": "node app.js"}, "dependencies": {"express": "^4"}}',
      'hook/app.js': 'createServer({key: read(process.env.KEY), cert: read(process.env.CERT)}).listen(process.env.PORT); "AdmissionReview"',
      [`hook/${lockfile}`]: '',
    };
    const said = `missing: installed dependencies: cd hook && ${command}\n`;
    expect((await startOf(files)).stdout).toContain(said);
    expect((await startOf({ ...files, 'hook/node_modules/express/package.json': '{}' })).stdout).not.toContain('missing: installed');
  });

  it('as a hint for a program in Go that has no flags for its certificate', async () => {
    const { suite } = await startOf({
      'go.mod': goModule,
      'cmd/main.go': 'func main() { flag.IntVar(&port, "port", 8443, ""); AdmissionReview{} }',
    });
    expect(suite).toContain('#   command: "go run ./cmd --port=<PORT>"\n#   cwd: ..\n');
  });

  it('as a hint for a program in Rust whose certificate is in a file of its own', async () => {
    const { suite } = await startOf({ 'Cargo.toml': 'kube = "2"', 'src/main.rs': 'AdmissionReview; fn main() { load("config.yaml") }' });
    expect(suite).toContain('#   command: "cargo run"\n#   cwd: ..\n');
  });

  it('and a namespace with the name that a selector wants', async () => {
    const selector = '  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [payments]}]}\n';
    const { remove, text } = await initialized({ 'webhook.yaml': configuration + selector, 'app.py': 'AdmissionReview' });
    const [suite, cluster] = [text('webhook-tests/first.webhook-test.yaml'), text('webhook-tests/cluster.yaml')];
    remove();
    expect(suite).toMatch(/^namespace: payments\n[\s\S]*expect: \{called: \[guard\.example\.com\]\}/m);
    expect(cluster).toBe('apiVersion: v1\nkind: Namespace\nmetadata:\n  name: payments\n');
  });

  it('of a program beside a template of its configuration with a placeholder for the certificate', async () => {
    const template = configuration
      .replace('{service:', '\n    caBundle: BASE64_ENCODED_PEM\n    service: {')
      .replace('{ {', '{')
      .replace('}}', '}');
    const { remove, stdout, text } = await initialized({ 'webhook.yaml.template': template, 'app.py': 'AdmissionReview' });
    const written = text('webhook-tests/configuration.yaml');
    remove();
    expect(written).not.toContain('caBundle');
    expect(written).toContain('name: guard, path: /validate');
    expect(stdout).not.toContain('that the API server accepts');
  });

  it('of a program beside a template of its configuration with a block for the certificate', async () => {
    const template = configuration
      .replace('{service:', `\n    caBundle: |\n      \${CA_BUNDLE}\n    service: {`)
      .replace('{ {', '{')
      .replace('}}', '}');
    const { remove, text } = await initialized({ 'webhook.yaml': template, 'app.py': 'AdmissionReview' });
    const written = text('webhook-tests/configuration.yaml');
    remove();
    expect(written).toContain('  clientConfig: \n    service: {namespace: shop, name: guard, path: /validate}\n');
  });

  it('with the definitions of the project if the program asks the API server', async () => {
    const definition = (name: string): string =>
      `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${name}.example.com}\nspec: {group: example.com}\n`;
    const files = { 'main.go': structTags, 'deploy/policies.yaml': definition('policies'), 'examples/others.yaml': definition('others') };
    const client = { ...files, 'go.mod': `${goModule}require k8s.io/client-go v0.30.0\n` };
    expect((await startOf(client)).suite).toContain('state: [../deploy/webhook.yaml, ../deploy/policies.yaml]\n');
    expect((await startOf({ ...files, 'go.mod': goModule })).suite).toContain('state: [../deploy/webhook.yaml]\n');
  });

  it('of a program beside a template of its configuration with placeholders for names', async () => {
    const template = configuration
      .replace('name: guard}', 'name: HOOK_APP}')
      .replace('- name: guard', `- name: com.\${ORG_NAME}.HOOK_APP`)
      .replace(
        '{service: {namespace: shop, name: guard, path: /validate}}',
        '\n    caBundle: CA_BUNDLE\n    service:\n      namespace: $NAMESPACE\n      name: HOOK_APP',
      );
    const { remove, stdout, text } = await initialized({ 'webhook-template.yaml': template, 'app.py': 'AdmissionReview' });
    const written = text('webhook-tests/configuration.yaml');
    remove();
    expect(written).toContain('- name: com.org-name.hook-app.example.com\n');
    expect(written).toContain('      namespace: namespace\n      name: hook-app\n');
    expect(stdout).not.toContain('that the API server accepts');
  });

  it('takes the flags of a package of options for a manager whose main package has none', async () => {
    const { remove, text } = await initialized({
      'go.mod': 'module example.com/guard\nrequire sigs.k8s.io/controller-runtime v0.25.0\n',
      'cmd/guard/main.go': 'package main\nimport "example.com/guard/cmd/guard/app"\nfunc main() { app.Run() }\n',
      'cmd/guard/app/app.go':
        'package app\nfs.IntVar(&o.Port,\n"webhook-port", 6443, "")\nfs.StringVar(&o.Dir,\n"webhook-certificate-dir", "/tls", "")\nctrl.NewManager\n',
      'config/webhook.yaml': configuration,
    });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(suite).toContain(`command: "go run ./cmd/guard --webhook-certificate-dir=\${CERTS} --webhook-port=\${PORT}"`);
  });
});
