import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { initialized, masked } from './support/initialized.js';

const page = readFileSync(path.join(root, 'docs/python.md'), 'utf8');
const webhookPy = /cat > webhook\.py <<'END'\n([\s\S]*?)\nEND\n/.exec(page)?.[1] ?? '';
const server = 'review = AdmissionReview; if path == "/validate-pods": deny()\nif path == "/mutate-pods": patch()';
const suiteOf = (text: (name: string) => string): string => masked(text('webhook-tests/first.webhook-test.yaml'));

describe('init beside code of a webhook without a configuration', { timeout: 30_000 }, () => {
  it('writes a configuration for the code, and starts it with the certificates of the project', async () => {
    const certificates = { 'certs/tls.crt': '', 'certs/tls.key': '', 'certs/ca.crt': '' };
    const { remove, stdout, text } = await initialized({ 'webhook.py': webhookPy, ...certificates });
    const [suite, configuration] = [suiteOf(text), text('webhook-tests/configuration.yaml')];
    remove();
    expect(stdout).toMatch(/, 1 webhook\n {2}configuration {2}webhook-tests\/configuration\.yaml\n/);
    expect(stdout).not.toContain('missing');
    expect(suite).not.toContain('demo: true');
    expect(suite).toContain('  command: "python3 webhook.py"\n  cwd: ..\n');
    expect(suite).toContain('ca-file: ../certs/ca.crt\nstate: [configuration.yaml]\n');
    expect(suite).toContain('expect: {called: [webhook.example.com]}');
    expect(configuration).toContain('clientConfig: {url: "https://127.0.0.1:8443/"}');
  });

  it.each([
    [
      'a pod where the code decodes pods',
      'AdmissionReview; var pod corev1.Pod\njson.Unmarshal(raw, &pod)',
      'apiGroups: [""], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [pods]',
    ],
    [
      'a deployment where the code compares with it',
      'AdmissionReview; kind == "Deployment"',
      'apiGroups: [apps], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [deployments]',
    ],
    [
      'a pod where the code names no kind',
      'AdmissionReview',
      'apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: ["*"]',
    ],
  ])('sends %s, not a role of the project', async (what, source, rule) => {
    const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: hook}\nrules: []\n';
    const { remove, text } = await initialized({ 'server.go': source, 'deploy/role.yaml': role });
    const [suite, configuration] = [suiteOf(text), text('webhook-tests/configuration.yaml')];
    remove();
    expect(configuration).toContain(`rules: [{${rule}}]`);
    expect(suite).toContain(`- name: ${what.split(' ')[1]}\n`);
  });

  it('takes the path of a patch for no path of the server', async () => {
    const { remove, text } = await initialized({ 'app.py': 'AdmissionReview; post("/webhook"); JSONPatch("/metadata/labels/admitted")' });
    const configuration = text('webhook-tests/configuration.yaml');
    remove();
    expect(configuration.match(/kind: \w+|path: [\w/-]+/g)).toEqual(['kind: MutatingWebhookConfiguration', 'path: /webhook']);
  });

  it('makes a webhook of each path, and prints what is missing to start it', async () => {
    const { remove, stdout, text } = await initialized({ 'server.rb': server });
    const [suite, configuration, flags] = [suiteOf(text), text('webhook-tests/configuration.yaml'), text('webhook-cli.yaml')];
    remove();
    expect(configuration.match(/kind: \w+|path: [\w/-]+/g)).toEqual([
      ...['kind: ValidatingWebhookConfiguration', 'path: /validate-pods'],
      ...['kind: MutatingWebhookConfiguration', 'path: /mutate-pods'],
    ]);
    expect(stdout).toContain('missing: the command that starts the webhook with a certificate: ');
    expect(suite).toContain('#   command: "COMMAND --port=<PORT> --cert-dir=<CERTS>"\n#   cwd: ..\n');
    expect(suite + flags).not.toContain('demo');
  });
});

describe('init finds the start in', { timeout: 30_000 }, () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'a Procfile',
      { Procfile: 'web: node server.js\n', 'server.js': `${server} getenv("TLS_CERT"); getenv("TLS_KEY"); getenv("PORT")` },
      '  command: "node server.js"',
    ],
    [
      'the CMD of a Dockerfile, with certificates in its flags',
      {
        Dockerfile:
          'FROM python\nCMD ["gunicorn", "--certfile=/certs/tls.crt", "--keyfile", "/certs/tls.key", "--bind", "0.0.0.0:8443", "app:app"]\n',
        'app.py': server,
      },
      '  command: "gunicorn --certfile=<CERTS>/tls.crt --keyfile <CERTS>/tls.key --bind 0.0.0.0:<PORT> app:app"',
    ],
    [
      'the ENTRYPOINT of a Dockerfile',
      { Dockerfile: 'COPY app.py /srv/app.py\nENTRYPOINT ["/usr/bin/python3", "/srv/app.py"]\n', 'app.py': server },
      '#   command: "python3 app.py"',
    ],
    [
      'the CMD of a Dockerfile, with an interpreter that this machine may have under another name',
      {
        Dockerfile: 'FROM python\nCMD ["python", "app.py"]\n',
        'app.py': `${server} load_cert_chain((os.getenv("TLS_DIR") or "/certs") + "/tls.crt")`,
      },
      '  env: {TLS_DIR: "<CERTS>"}',
    ],
    ['package.json', { 'package.json': '{"scripts": {"start": "node ."}}', 'index.js': server }, '#   command: "npm start"'],
    ['a Makefile', { Makefile: 'build:\n\tgo build\nrun: build\n\t./server\n', 'app.py': server }, '#   command: "make run"'],
    ['nothing but the source', { 'app.py': server }, '#   command: "python3 app.py"'],
  ])('%s', async (_, files, line) => {
    const { remove, text } = await initialized(files);
    const suite = suiteOf(text);
    remove();
    expect(suite.split('\n')).toContain(line);
  });

  it.each([
    ['python3 app.py', { Dockerfile: 'CMD ["python", "app.py"]\n' }, false],
    ['npm start', { 'package.json': '{"scripts": {"start": "tsc && node ."}}' }, true],
  ])('%s, which is waited for long only where it may build', async (command, files, mayBuild) => {
    const { remove, text } = await initialized({ ...files, 'app.py': `${server} getenv("TLS_CERT"); getenv("TLS_KEY"); getenv("PORT")` });
    const suite = suiteOf(text);
    remove();
    expect([suite.includes(`  command: "${command}"`), suite.includes('  ready: {timeout: 10m}')]).toEqual([true, mayBuild]);
  });

  it.each<[string, string]>([
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['package-lock.json', 'npm ci'],
    ['other.txt', 'npm install'],
  ])('a project with %s, whose pipeline installs with it', async (lockfile, install) => {
    const { remove, text } = await initialized({ 'package.json': '{}', [lockfile]: '' }, ['--ci', 'github']);
    const pipeline = text('.github/workflows/webhook-tests.yaml');
    remove();
    expect(pipeline).toContain(`    - run: ${install}\n`);
  });
});
