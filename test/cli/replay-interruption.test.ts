import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);

const events = readFileSync(path.join(root, 'fixtures/replay/audit.log'), 'utf8').trimEnd().split('\n');

/** Calls in many namespaces, so that both threads make some. */
const lines = Array.from({ length: 20 }, (_, i) =>
  events.map(event => event.replaceAll('"shop"', `"shop${i}"`).replaceAll('/shop/', `/shop${i}/`)),
).flat();

const service = (namespace: string): string =>
  JSON.stringify({
    ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Request', stage: 'ResponseComplete', auditID: namespace, verb: 'create' },
    ...{ user: { username: 'alice' }, responseStatus: { code: 201 }, requestURI: `/api/v1/namespaces/${namespace}/services` },
    requestObject: { kind: 'Service', apiVersion: 'v1', metadata: { name: 'web', namespace }, spec: { ports: [{ port: 80 }] } },
    objectRef: { resource: 'services', namespace, name: 'web' },
  });

/** The calls of the first one belong to the second thread, those of the other one to the main thread, which then has read all lines. */
const held = ['second', 'main'];

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('prints at %s what all threads have counted', { timeout: 60_000 }, async (signal, expected) => {
  // A webhook for services that accepts connections and never responds: both threads wait for it with their last call.
  const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: silent}
webhooks:
- name: silent.example.com
  clientConfig: {url: "https://127.0.0.1:${(server.address() as AddressInfo).port}/"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [services]}]
  sideEffects: None
  timeoutSeconds: 30
  admissionReviewVersions: [v1]
`;
  writeFileSync(
    path.join(folder, 'state.yaml'),
    `${readFileSync(path.join(root, 'fixtures/replay/policy.yaml'), 'utf8')}\n---\n${webhook}`,
  );
  writeFileSync(path.join(folder, 'audit.log'), `${[...lines, ...held.map(service)].join('\n')}\n`);
  const words = ['replay', '-f', 'audit.log', '--state', 'state.yaml', '--jobs', '2', '-o', 'json'];
  const child = spawn(process.execPath, [path.join(root, 'bin/run.js'), ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
    if (connections === held.length) child.kill(signal);
  });
  let report = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    report += text;
  });
  const [exitCode] = await once(child, 'close');
  server.close();
  expect(exitCode).toBe(expected);
  const { complete, log, calls } = JSON.parse(report);
  expect({ complete, lines: log.lines, replayed: calls.replayed, changed: calls.changed }).toEqual({
    ...{ complete: false, lines: 20 * events.length + held.length, replayed: 20 * 17, changed: 20 * 6 },
  });
});
