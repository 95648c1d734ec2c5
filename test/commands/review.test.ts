import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import type { ReportFormat } from '../../src/reports/report-formats.js';
import { handlers } from '../../src/webhook-server/handlers/handlers.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandOptions, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function review(argv: readonly string[], options: CommandOptions = {}) {
  return runCommand(Review, argv, options);
}

function masked(text: string): string {
  return text.replace(/\s+\d+\.\d ms/g, '  N ms');
}

const sidecar = 'fixtures/manifests/pod-sidecar.yaml';
const privileged = 'fixtures/manifests/pod-privileged.yaml';

describe('review against the demo webhook', () => {
  it("shows decisions, changes, and kubectl's output", async () => {
    const { stdout, stderr, exitCode } = await review(['--demo', '-f', sidecar, '--state', 'fixtures/cluster']);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(masked(stdout)).toBe(`CREATE Pod shop/web by kubernetes-admin: allowed
  mutating    demo.webhook-cli.dev  allowed, changed the object  N ms
  validating  demo.webhook-cli.dev  allowed  N ms

  changes by demo.webhook-cli.dev:
    metadata:
      annotations:
        demo.webhook-cli.dev/sidecar: 'true'
  +   labels:
  +     demo.webhook-cli.dev/reviewed: 'yes'
      name: web
      namespace: shop
    spec:
    ...
        resources: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
  +   - args:
  +     - --log-to-stdout
  +     image: registry.example.com/demo-sidecar:1.0.0
  ~     imagePullPolicy: IfNotPresent
  +     name: demo-sidecar
  +     resources:
  +       limits:
  +         cpu: 50m
  +         memory: 32Mi
  ~       requests:
  ~         cpu: 50m
  ~         memory: 32Mi
  ~     terminationMessagePath: /dev/termination-log
  ~     terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      enableServiceLinks: true
      preemptionPolicy: PreemptLowerPriority
  ~ set by the API server after the patch

# kubectl create -f ${sidecar}
Warning: container "nginx" has no limits for cpu and memory
pod/web created
`);
  });

  it('reports a denial by the webhook, and exits with 1', async () => {
    const { stdout, exitCode } = await review(['--demo', '-f', privileged, '-o', 'json']);
    const report = JSON.parse(stdout);
    const message =
      'admission webhook "demo.webhook-cli.dev" denied the request: container "shell" must not be privileged; container "shell" must name a version of its image, not "busybox"';
    expect(exitCode).toBe(1);
    expect(report.decision).toEqual({
      allowed: false,
      code: 403,
      status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'Forbidden', code: 403 },
      warnings: [],
      auditAnnotations: expect.any(Object),
      object: null,
    });
    expect(report.kubectl).toBe(`Error from server (Forbidden): error when creating "${privileged}": ${message}`);
    expect(report.notes).toEqual(['assuming namespace shop exists (no --state given)']);
  });

  it('reports several calls as a list, and exits with the gravest code', async () => {
    const { stdout, exitCode } = await review(['--demo', '-f', 'fixtures/manifests', '-o', 'json']);
    const { apiVersion, kind, items } = JSON.parse(stdout);
    const names = items.map((item: { webhooks: { attributes: { name: string } }[]; decision: { code: number } }) => [
      item.webhooks[0]?.attributes.name,
      item.decision.code,
    ]);
    expect([apiVersion, kind, names, exitCode]).toEqual([
      'webhook-cli.dev/v1alpha1',
      'ReportList',
      [
        ['debug', 403],
        ['web', 201],
      ],
      1,
    ]);
  });

  /** A format without a row is a type error. */
  const printed = {
    yaml: /^apiVersion: webhook-cli\.dev\/v1alpha1\ncall:\n {2}method: POST\n/,
    diff: /^# Pod shop\/web: demo\.webhook-cli\.dev\n {2}metadata:\n[\s\S]*\n\+ {3}labels:\n/,
    object: /^apiVersion: v1\nkind: Pod\nmetadata:\n[\s\S]*\n {2}labels:\n {4}demo\.webhook-cli\.dev\/reviewed: 'yes'\n/,
    patch: /^\[\{"op":"add","path":"\/metadata\/labels","value":\{"demo\.webhook-cli\.dev\/reviewed":"yes"\}\},\{"op":"add",[^\n]*\}\]\n$/,
    response: /^\{"kind":"AdmissionReview",[^\n]*"patchType":"JSONPatch"\}\}\n\{"kind":"AdmissionReview",[^\n]*\}\n$/,
    request: /^\{"kind":"AdmissionReview",[^\n]*\}\n\{"kind":"AdmissionReview",[^\n]*\}\n$/,
    curl: /^echo [A-Za-z0-9+/=]+ \| base64 -d \| curl --max-time 10 --cacert \/dev\/stdin -H 'Content-Type: application\/json' .* --data-binary '\{"kind":"AdmissionReview",[^\n]*\}' 'https:\/\/127\.0\.0\.1:\d+\/mutate\?timeout=10s'\necho /,
    name: /^pod\/web allowed\n$/,
    github:
      /^::warning file=fixtures\/manifests\/[\w-]+\.yaml,title=pod\/web allowed::container "nginx" has no limits for cpu and memory\n$/,
  } satisfies Record<Exclude<ReportFormat, 'text' | 'json' | 'html'>, RegExp>;

  it.each(Object.entries(printed))('prints %s', async (format, expected) => {
    const { stdout, exitCode } = await review(['--demo', '-f', sidecar, '-o', format]);
    expect([stdout, exitCode]).toEqual([expect.stringMatching(expected), 0]);
  });

  it('prints refusals as annotations, which no message can leave', async () => {
    const { stdout, exitCode } = await review(['--demo', '-f', privileged, '-o', 'github']);
    const message = 'admission webhook "demo.webhook-cli.dev" denied the request: container "shell" must not be privileged;';
    expect([stdout.split('\n').length, exitCode]).toEqual([2, 1]);
    expect(stdout).toContain(`::error file=${privileged},title=pod/debug denied::${message}`);
    const checked = await review(['--url', 'https://127.0.0.1:1/%0A::error', '-f', '-', '-o', 'github'], {
      stdin: 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n',
    });
    expect(checked.stdout).toMatch(
      /^::error title=pod\/a refused::Internal error occurred: failed calling webhook "webhook\.webhook-cli\.dev": [^\n]*%250A::error[^\n]*\n$/,
    );
  });

  it('includes the exchange on request', async () => {
    const { stdout } = await review(['--demo', '-f', sidecar, '-o', 'json', '--include', 'exchange']);
    const [{ exchange }] = JSON.parse(stdout).webhooks;
    expect(JSON.parse(exchange.request.body).kind).toBe('AdmissionReview');
    expect([exchange.response.statusCode, JSON.parse(exchange.response.body).response.allowed]).toEqual([200, true]);
  });

  it('is reproducible with --seed and --now', async () => {
    const argv = ['--demo', '-f', sidecar, '-o', 'object', '--seed', '7', '--now', '2026-11-21T00:00:00Z'];
    const [first, second] = [await review(argv), await review(argv)];
    expect([second.stdout, first.exitCode]).toEqual([first.stdout, 0]);
    expect(first.stdout).toContain("creationTimestamp: '2026-11-21T00:00:00Z'");
  });

  it('colors the diff only when asked or on a terminal', async () => {
    const argv = ['--demo', '-f', sidecar, '-o', 'diff'];
    const colored = '\u001b[32m+   labels:\u001b[39m';
    const outputs = [
      await review(argv),
      await review(argv, { env: { FORCE_COLOR: '1' } }),
      await review([...argv, '--no-color'], { env: { FORCE_COLOR: '1' } }),
      await review(argv, { isTerminal: true }),
      await review(argv, { isTerminal: true, env: { NO_COLOR: '1' } }),
      await review(argv, { isTerminal: true, env: { TERM: 'dumb' } }),
    ];
    expect(outputs.map(({ stdout }) => stdout.includes(colored))).toEqual([false, true, false, true, false, false]);
    expect(outputs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('deletes and updates stored objects', async () => {
    const ledger = 'fixtures/objects/pod-protected.yaml';
    const remove = await review(['--demo', '--operation', 'delete', '--old', ledger, '-f', ledger, '-o', 'name']);
    expect(remove).toEqual({ stdout: 'pod/ledger denied\n', stderr: '', exitCode: 1 });
    const update = await review(['--demo', '--operation', 'UPDATE', '--old', ledger, '-f', ledger, '-o', 'json']);
    expect(JSON.parse(update.stdout).kubectl).toBe('pod/ledger replaced');
    const missing = await review(['--demo', '--operation', 'delete', '-f', ledger, '-o', 'json']);
    expect([missing.exitCode, JSON.parse(missing.stdout).decision.code, JSON.parse(missing.stdout).notes]).toEqual([
      1,
      404,
      [
        'assuming namespace shop exists (no --state given)',
        'the object is not stored: pass it with --old, or pass existing objects with --state',
      ],
    ]);
  });

  it('rejects a namespace that is not in the state', async () => {
    const { stdout, exitCode } = await review(['--demo', '-f', sidecar, '--state', 'fixtures/cluster/guard.yaml', '-o', 'json']);
    expect([exitCode, JSON.parse(stdout).decision.status.message]).toEqual([1, 'namespaces "shop" not found']);
  });
});

describe('review against a webhook of its own', () => {
  let server: RunningServer;
  let ca: string;

  beforeAll(async () => {
    const issued = await issueServingPair({ dns: ['guard.shop.svc'], ips: [] }, new Date());
    ca = issued.ca;
    server = await startServer({ handler: handlers.demo, cert: issued.cert, key: issued.key, host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  function files(): { readonly cwd: string; readonly undo: () => void } {
    const made = temporaryFolder({
      'certs/ca.crt': ca,
      'pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx"}]}\n',
    });
    return { cwd: made.folder, undo: made.remove };
  }

  it('trusts the CA of certs create in ./certs, and is mutating by default', async () => {
    const { cwd, undo } = files();
    const mutating = await review(['--url', `${server.origin}/mutate`, '-f', 'pod.yaml', '-o', 'name'], { cwd });
    const validating = await review(['--url', `${server.origin}/validate`, '--phase', 'validating', '-f', 'pod.yaml', '-o', 'name'], {
      cwd,
    });
    undo();
    expect([mutating.stdout, validating.stdout]).toEqual(['pod/a allowed\n', 'pod/a denied\n']);
  });

  it('finds the service of a configuration where --service says, under its own name', async () => {
    const { cwd, undo } = files();
    const argv = ['--state', 'fixtures/cluster', '--service', `shop/guard=${server.origin}`, '--ca-file', `${cwd}/certs/ca.crt`];
    const both = await review([...argv, '-f', sidecar, '-o', 'json']);
    const one = await review([...argv, '--webhook', 'check.guard.example.com', '-f', privileged, '-o', 'json']);
    undo();
    const called = (text: string) =>
      JSON.parse(text).webhooks.map((entry: { webhook: string; outcome: string }) => `${entry.webhook} ${entry.outcome}`);
    expect([both.exitCode, called(both.stdout).filter((line: string) => !line.endsWith('skipped'))]).toEqual([
      0,
      ['label.guard.example.com allowed', 'check.guard.example.com allowed'],
    ]);
    expect([one.exitCode, called(one.stdout)]).toEqual([1, ['check.guard.example.com denied']]);
  });

  it('requires the address of an unknown service', async () => {
    expect(await review(['--state', 'fixtures/cluster', '-f', sidecar])).toEqual({
      stdout: '',
      stderr:
        "error: the webhook's service shop/guard is not in the state, and its address is unknown; pass --service shop/guard=https://127.0.0.1:8443\n",
      exitCode: 3,
    });
  });

  it('takes defaults from the configuration file and from variables', async () => {
    const configured = temporaryFolder({
      'webhook-cli.yaml': `url: ${server.origin}/validate\nphase: validating\nca-file: ca/authority.pem\n`,
      'ca/authority.pem': ca,
      'deep/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: "nginx"}]}\n',
    });
    const fromFile = await review(['-f', 'pod.yaml', '-o', 'name'], { cwd: `${configured.folder}/deep`, env: { WEBHOOK_CLI_TRUST: '1' } });
    const variable = await review(['-f', 'pod.yaml', '-o', 'name'], {
      cwd: `${configured.folder}/deep`,
      env: { WEBHOOK_CLI_URL: `${server.origin}/mutate`, WEBHOOK_CLI_PHASE: 'mutating' },
    });
    const flag = await review(['--demo', '-f', 'pod.yaml', '-o', 'name'], { cwd: `${configured.folder}/deep` });
    configured.remove();
    expect([fromFile, variable, flag].map(({ stdout, stderr }) => stdout + stderr)).toEqual([
      'pod/a denied\n',
      'pod/a allowed\n',
      'pod/a denied\n',
    ]);
  });

  it('cannot be sent over http, except for development', async () => {
    const { stdout, exitCode } = await review(['--url', 'http://127.0.0.1:1/', '--allow-http', '-f', sidecar, '-o', 'json']);
    expect([exitCode, JSON.parse(stdout).notes.at(-1)]).toEqual([4, 'the API server rejects webhooks that do not use https']);
  });
});
