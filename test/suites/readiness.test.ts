import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { freePort } from '../../src/suites/process/start-process.js';
import { type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Serves reviews at /validate; what it does before and during that is in variables. */
const server = `
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createHttpServer } from 'node:http';
const { CERTS, PORT, PORT2, WEBHOOK_PORT, UNTIL_SERVED, UNTIL_HEALTHY, SLOW_MS = '0' } = process.env;
const read = name => readFileSync(CERTS + '/' + name);
let requests = 0;
let first = true;
createServer({ cert: read('tls.crt'), key: read('tls.key') }, async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  requests += 1;
  if (requests <= Number(UNTIL_SERVED ?? 0)) return response.writeHead(404).end();
  const delay = first ? Number(SLOW_MS) : 0;
  first = false;
  await new Promise(resolve => setTimeout(resolve, delay));
  if (!request.url.startsWith('/validate')) return response.writeHead(404).end();
  const { request: review } = JSON.parse(Buffer.concat(chunks).toString());
  console.error('reviewing ' + review.name);
  if (review.name === 'crash') return response.writeHead(500).end('handler failed');
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: review.uid, allowed: true } }));
}).listen(Number(WEBHOOK_PORT ?? PORT), '127.0.0.1', () => console.log('listening'));
if (PORT2 !== undefined && WEBHOOK_PORT === undefined) {
  let probes = 0;
  createHttpServer((request, response) => {
    probes += 1;
    response.writeHead(request.url === '/readyz' && probes > Number(UNTIL_HEALTHY ?? 0) ? 204 : 503).end();
  }).listen(Number(PORT2), '127.0.0.1', () => console.log('health on ' + PORT2 + '\\nREADY after a while'));
}
`;

const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c}
webhooks:
- name: w.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: team, name: webhook, path: /validate}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
`;

let folder: string;
let remove: () => void;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({
    'server.mjs': server,
    'webhooks.yaml': configuration,
    'good.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: default}\n',
    'crash.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: crash, namespace: default}\n',
  }));
});
afterEach(() => remove());

const PATH = process.env['PATH'] ?? '';

interface Exec {
  readonly env?: string;
  readonly ready?: string;
  /** Variable of the port at which the webhook serves. */
  readonly port?: string;
  readonly services?: string;
  readonly state?: string;
  readonly cases?: string;
  readonly argv?: readonly string[];
}

async function test({
  env = '',
  ready,
  port = 'PORT',
  services = `{team/webhook: "https://127.0.0.1:\${${port}}"}`,
  state = 'webhooks.yaml',
  cases = '- {name: good, filename: good.yaml, snapshot: false, expect: {allowed: true}}',
  argv = [],
}: Exec): Promise<CommandResult> {
  const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
exec:
  command: [node, server.mjs]
  env: {CERTS: "\${CERTS}"${env}}
${ready === undefined ? '' : `  ready: ${ready}\n`}services: ${services}
state: [${state}]
cases:
${cases}
`;
  writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite);
  return runCommand(Test, ['s.webhook-test.yaml', ...argv], { cwd: folder, env: { PATH, XDG_CACHE_HOME: '' } });
}

const passes = async (exec: Exec): Promise<void> => {
  const { exitCode, stdout } = await test(exec);
  expect([exitCode, exitCode === 0 ? '' : stdout]).toEqual([0, '']);
};

describe('a process is ready', { timeout: 60_000 }, () => {
  it("when a review at its configuration's path is answered, not while it answers with 404", async () => {
    await passes({ env: ', UNTIL_SERVED: "3"' });
  });

  it('when its first answer has arrived, even if slow, so that it does not delay a case', async () => {
    await passes({ env: ', SLOW_MS: "6000"', cases: '- {name: good, filename: good.yaml, snapshot: false, expect: {allowed: true}}' });
  });

  it('when a path of another port has the expected status', async () => {
    await passes({ env: `, UNTIL_HEALTHY: "3", PORT2: "\${PORT2}"`, ready: `{path: /readyz, port: "\${PORT2}", status: 204}` });
  });

  it('when a path of the port in the services has the expected status, over HTTPS', async () => {
    const other = { env: `, WEBHOOK_PORT: "\${PORT2}"`, port: 'PORT2' };
    await passes({ ...other, ready: '{path: /, status: 404}' });
    await passes({ ...other, ready: `{path: /, port: "\${PORT2}", status: 404}` });
  });

  it('when a line of its output matches', async () => {
    await passes({ env: `, PORT2: "\${PORT2}"`, ready: '{log: "^READY after"}' });
  });

  it('at the address that its configuration has on this machine', async () => {
    const port = await freePort();
    const clientConfig = `clientConfig: {url: "https://127.0.0.1:${port}/validate"}`;
    writeFileSync(path.join(folder, 'by-url.yaml'), configuration.replace(/clientConfig: .*/, clientConfig));
    await passes({ env: `, WEBHOOK_PORT: "${port}"`, services: '{}', state: 'by-url.yaml' });
  });

  it('and gets the calls of a public URL, with a certificate for its name', async () => {
    const clientConfig = 'clientConfig: {url: "https://hooks.example.com/validate"}';
    writeFileSync(path.join(folder, 'by-url.yaml'), configuration.replace(/clientConfig: .*/, clientConfig));
    const urls = `{}\nurls: {"https://hooks.example.com/validate": "https://127.0.0.1:\${PORT}/validate"}`;
    await passes({ services: urls, state: 'by-url.yaml' });
  });

  it('never while another process listens at its fixed address', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { exitCode, stdout } = await test({ services: `{team/webhook: "https://127.0.0.1:${port}"}` });
    other.close();
    expect([exitCode, stdout]).toEqual([4, expect.stringContaining(`exec: another process listens at 127.0.0.1:${port} already`)]);
  });

  it.each([
    ['{path: /nowhere, timeout: 500ms}', 'was not ready within 0.5 s: /nowhere at port'],
    ['{log: never, timeout: 500ms}', 'was not ready within 0.5 s: no line of its output matches ready.log'],
  ])('never with %s', async (ready, says) => {
    const { exitCode, stdout } = await test({ ready });
    expect([exitCode, stdout]).toEqual([4, expect.stringContaining(says)]);
  });

  it.each([
    ['{status: 200}', 'requires path'],
    ['{path: readyz}', 'expected a path such as /readyz'],
    ['{path: /readyz, port: metrics}', 'expected a port, or a variable such as '],
    ['{log: "("}', 'is not a valid regular expression'],
  ])('is not described by %s', async (ready, says) => {
    const { exitCode, stderr } = await test({ ready });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(says)]);
  });
});

describe('the output of a process', { timeout: 60_000 }, () => {
  const cases = ['good', 'crash']
    .map(name => `- {name: ${name}, filename: ${name}.yaml, snapshot: false, expect: {allowed: true}}`)
    .join('\n');

  it('is shown for a case that does not pass', async () => {
    const { exitCode, stdout } = await test({ cases, argv: ['--concurrency', '1'] });
    expect(exitCode).toBe(4);
    // A line of the case before may arrive late.
    expect(stdout).toMatch(/\n {4}output of the webhook during the case:\n(?: {6}reviewing good\n)? {6}reviewing crash\n/);
    expect(stdout.match(/output of the webhook/g)).toHaveLength(1);
  });

  it('is in the JSON report, and in the file of --webhook-log', async () => {
    await test({ cases, argv: ['--concurrency', '1', '--webhook-log', 'webhook.log', '--reporter', 'json=run.json'] });
    expect(readFileSync(path.join(folder, 'run.json'), 'utf8')).toMatch(/"webhookOutput":\[(?:"reviewing good",)?"reviewing crash"\]/);
    expect(readFileSync(path.join(folder, 'webhook.log'), 'utf8')).toMatch(/^listening\n(?:reviewing .*\n)*reviewing crash\n$/);
  });

  it('cannot be written to a missing folder', async () => {
    const { exitCode, stderr } = await test({ argv: ['--webhook-log', 'missing/webhook.log'] });
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('the log "missing/webhook.log" cannot be written')]);
    expect(existsSync(path.join(folder, 'missing'))).toBe(false);
  });
});
