import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Create from '../../commands/certs/create.js';
import Init from '../../commands/init.js';
import Lint from '../../commands/lint.js';
import Match from '../../commands/match.js';
import Review from '../../commands/review.js';
import Test from '../../commands/test.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { configuration, initialized } from './support/initialized.js';

const kustomization = 'resources: [webhook.yaml]\n';

describe('after init of a program that reads its certificate in a fixed folder, and its port in a variable', { timeout: 60_000 }, () => {
  const app = `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
kind = 'AdmissionReview'
port = int(os.environ.get('PORT', '8443'))
tls.load_cert_chain('/nowhere/certs/tls.crt', '/nowhere/certs/tls.key')
`;

  it('the suite has the address of the webhook, and the certificate is named as missing', async () => {
    const { stdout, text, remove } = await initialized({ 'requirements.txt': '', 'app.py': app });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    const configuration = text('webhook-tests/configuration.yaml');
    remove();
    expect(stdout).toContain('1 webhook\n');
    expect(stdout).toContain(
      'missing: a certificate in /nowhere/certs, where the program always reads it: webhook-cli certs create --out-dir /nowhere/certs',
    );
    expect(configuration).toContain('url: "https://127.0.0.1:8443/"');
    expect(suite).toContain('env: {PORT: "8443"}');
    expect(suite).toContain('state: [configuration.yaml]');
  });

  it('a folder of the project is one, too', async () => {
    const source = app.replaceAll('/nowhere/certs', 'certs').replace("int(os.environ.get('PORT', '8443'))", '8443');
    const { stdout, text, remove } = await initialized({ 'requirements.txt': '', 'app.py': source });
    const suite = text('webhook-tests/first.webhook-test.yaml');
    remove();
    expect(stdout).toContain(
      'missing: a certificate in certs, where the program always reads it: webhook-cli certs create --out-dir certs, ',
    );
    expect(suite).toContain('command: "python3 app.py"');
    expect(suite).toContain('ca-file: ../certs/ca.crt');
  });

  it('test and dev trust what init has written', async () => {
    const home = temporaryFolder();
    const env = { ...process.env, HOME: home.folder, XDG_STATE_HOME: '', WEBHOOK_CLI_TRUST: '' };
    const project = temporaryFolder({ 'requirements.txt': '', 'app.py': app });
    await runCommand(Init, [], { cwd: project.folder, env });
    const { stderr } = await runCommand(Test, [], { cwd: project.folder, env });
    project.remove();
    home.remove();
    expect(stderr).not.toContain('trusted');
  });
});

describe('after init', { timeout: 60_000 }, () => {
  let folder: string;
  let remove: () => void;
  let server: RunningServer | undefined;
  beforeAll(async () => {
    ({ folder, remove } = await initialized({ 'config/webhook.yaml': configuration, 'config/kustomization.yaml': kustomization }));
  });
  afterAll(async () => {
    await server?.close();
    remove();
  });
  const sample = ['-f', 'webhook-tests/pod.yaml'];

  it('lint checks the state of webhook-cli.yaml', async () => {
    const { stdout, exitCode } = await runCommand(Lint, [], { cwd: folder });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('config/webhook.yaml:9:70: error: guard/guard.example.com')]);
  });

  it('lint skips the kustomization.yaml of a folder, and reads one that is named', async () => {
    const found = await runCommand(Lint, ['-f', 'config'], { cwd: folder });
    expect([found.exitCode, found.stderr]).toEqual([1, '']);
    const named = await runCommand(Lint, ['-f', 'config/kustomization.yaml'], { cwd: folder });
    expect(named.stderr).toContain("Object 'Kind' is missing");
  });

  it('lint leaves out the patches of a kustomization, unless they are named', async () => {
    const patch =
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.shop.example.com}\nspec: {conversion: {strategy: None}}\n';
    const files = temporaryFolder({
      'crd/kustomization.yaml':
        'resources: [bases]\npatches:\n- path: patches/webhook.yaml\n- path: ../manager.yaml\n  target: {kind: Deployment}\n',
      'crd/patches/webhook.yaml': patch,
      // Named in a comment of the kustomization.
      'crd/later.yaml': '# to do\n- {op: add, path: /spec/b, value: 1}\n',
      'manager.yaml': '- {op: add, path: /spec/a, value: 1}\n',
      'webhooks.yaml': configuration.replace(/caBundle: \S+/, ''),
    });
    const found = await runCommand(Lint, ['-R', '-f', '.'], { cwd: files.folder });
    const named = await runCommand(Lint, ['-f', 'crd/patches/webhook.yaml'], { cwd: files.folder });
    files.remove();
    const note = 'note: the patches in crd are not applied; -k DIR checks what a kustomization builds\n';
    expect([found.stderr, found.stdout]).toEqual([note, expect.not.stringContaining('widgets.shop')]);
    expect([named.exitCode, named.stdout]).toEqual([1, expect.stringContaining('spec.group: Required value')]);
  });

  it('match needs no certificates', async () => {
    const { stdout, exitCode } = await runCommand(Match, sample, { cwd: folder });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('validating  guard/guard.example.com  yes\n')]);
  });

  it('review says how to create the certificates, and uses them', async () => {
    const env = { WEBHOOK_CLI_TRUST: '1' };
    const before = await runCommand(Review, sample, { cwd: folder, env });
    expect(before.stderr).toContain(
      'certs/ca.crt: --ca-file cannot be used: it does not exist; create it with "webhook-cli certs create --service shop/guard"',
    );
    await runCommand(Create, ['--service', 'shop/guard'], { cwd: folder });
    const [cert, key] = ['tls.crt', 'tls.key'].map(name => readFileSync(path.join(folder, 'certs', name), 'utf8'));
    server = await startServer({ handler: handlers.allow, cert: cert ?? '', key: key ?? '', host: '127.0.0.1', port: 0 });
    const service = ['--service', `shop/guard=${server.origin}`];
    const after = await runCommand(Review, [...sample, ...service, '-o', 'name'], { cwd: folder, env });
    expect([after.stderr, after.stdout]).toEqual(['', 'pod/web allowed\n']);
    mkdirSync(path.join(folder, 'other'));
    writeFileSync(path.join(folder, 'other/webhook-cli.yaml'), 'state: [../config/webhook.yaml]\n');
    const other = await runCommand(Review, ['-f', '../webhook-tests/pod.yaml', ...service], { cwd: path.join(folder, 'other') });
    expect(other.stdout).toContain(
      '    certificate: the configuration has no caBundle, so that only the CAs of the system are trusted; in a cluster, a tool such as cert-manager writes one\n' +
        '    try: pass the CA of the serving certificate with --ca-file, such as certs/ca.crt of "webhook-cli certs create"\n',
    );
  });
});
