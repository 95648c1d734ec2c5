import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { type CommandResult, root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
  cpSync(path.join(root, 'fixtures/suites/limits'), folder, { recursive: true });
});
afterEach(() => remove());

/** PATH is needed to find node. */
const env = { PATH: process.env['PATH'] ?? '', XDG_CACHE_HOME: '' };
const test = (...argv: readonly string[]): Promise<CommandResult> => runCommand(Test, argv, { cwd: folder, env });

const suite = 'limits.webhook-test.yaml';

function change(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(path.join(folder, file), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path.join(folder, file), text.replace(from, to));
}

interface Call {
  readonly report: { readonly clientActivity?: { readonly reads: readonly string[]; readonly writes: readonly Write[] } };
  readonly findings?: readonly { readonly message: string }[];
}

interface Write {
  readonly request: string;
  readonly operation: string;
  readonly object: { readonly kind: string; readonly metadata: { readonly name: string }; readonly data: unknown };
}

async function callsOf(...argv: readonly string[]): Promise<readonly Call[]> {
  const { stdout } = await test('.', '--reporter', 'json', ...argv);
  const report = JSON.parse(stdout) as { readonly suites: readonly [{ readonly cases: readonly { readonly calls: readonly Call[] }[] }] };
  return report.suites[0].cases.flatMap(({ calls }) => calls);
}

describe('a webhook under test that reads its API server', { timeout: 60_000 }, () => {
  it('passes as committed, with what it read and wrote in the snapshots', async () => {
    const { exitCode, stdout } = await test('.', '--check');
    expect(stdout).toContain('no write to the API server in the dry run, proven for this object');
    expect(exitCode).toBe(0);
  });

  it('gets the state of each case, whatever it wrote in the case before', async () => {
    change(suite, 'AUDIT: checked', 'AUDIT: always');
    const [refused, allowed] = await callsOf();
    const read = ['GET /api/v1/namespaces/shop/configmaps/limits'];
    // A second ConfigMap of that name would be refused.
    for (const call of [refused, allowed]) {
      expect(call?.report.clientActivity).toMatchObject({
        reads: read,
        writes: [
          {
            request: 'POST /api/v1/namespaces/shop/configmaps',
            operation: 'create',
            object: { kind: 'ConfigMap', metadata: { name: 'audit-web' }, data: { by: 'kubernetes-admin' } },
          },
        ],
      });
    }
  });

  it('finds a write during a dry run, and names the request', async () => {
    change(suite, 'AUDIT: checked', 'AUDIT: always');
    const { exitCode, stdout } = await test('.', '--run', 'higher');
    expect(exitCode).toBe(1);
    expect(stdout).toContain(
      'side-effects: webhook.webhook-cli.dev writes during a dry run: POST /api/v1/namespaces/shop/configmaps (create ConfigMap shop/audit-web)',
    );
  });

  it('holds another state where the suite says so', async () => {
    change(suite, 'url:', 'apiserver: {state: more.yaml}\nurl:');
    const { stdout } = await test('.');
    expect(stdout).toContain('expected refusal, but the call was allowed');
  });

  it('names the namespace that a call presumes', async () => {
    change(suite, /\n {2}state: cluster.yaml/, '');
    change(suite, 'AUDIT: checked', 'AUDIT: always');
    const [call] = await callsOf('--run', 'above');
    expect(call?.report.clientActivity?.writes).toHaveLength(1);
  });

  it('removes the kubeconfig at the end', async () => {
    change(
      'server.mjs',
      /^const kubeconfig = /m,
      "console.log(['kubeconfig', kubeconfigFile, process.env.KUBECONFIG].join(' '));\nconst kubeconfig = ",
    );
    await test('.', '--webhook-log', 'log');
    const [, file = '', variable] = /kubeconfig (\S+) (\S+)/.exec(readFileSync(path.join(folder, 'log'), 'utf8')) ?? [];
    expect(variable).toBe(file);
    expect(path.isAbsolute(file)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('calls webhooks that the process registers itself', async () => {
    change(suite, /^url: .*\nphase: .*\nside-effects: .*\n/m, '');
    change(suite, '{command:', '{ready: {log: ^registered}, command:');
    change(
      'server.mjs',
      /\}\)\.listen\(port, '127\.0\.0\.1'\);/,
      `}).listen(port, '127.0.0.1', async () => {
  const webhook = {
    name: 'own.example.com', admissionReviewVersions: ['v1'], sideEffects: 'NoneOnDryRun',
    clientConfig: { url: \`https://127.0.0.1:\${port}/\`, caBundle: readFileSync(\`\${certs}/ca.crt\`).toString('base64') },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  };
  const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: 'own' }, webhooks: [webhook] };
  const { status } = await api('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', configuration);
  console.log(status === 201 ? 'registered' : status);
});`,
    );
    change(suite, 'namespace: shop', 'namespace: shop\nsnapshot: false');
    change(suite, 'matches: "at most 1 containers in shop$"', `matches: '^admission webhook "own.example.com" denied'`);
    const { stdout } = await test('.');
    expect(stdout).toContain('✓ above the limit');
    expect(stdout).toContain('✓ a higher limit');
  });
});
