import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import Replay from '../../commands/replay.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import '../../src/cli/commands/replay/run-replay.js';
import { root, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('sends a validating webhook nothing but the load', async () => {
  const { ca, cert, key } = await issueServingPair({ dns: [], ips: [] }, new Date());
  let received = 0;
  const server = https.createServer({ cert, key }, (request, response) => {
    received += 1;
    request.resume().on('end', () => response.end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const webhook = {
      ...{ name: 'guard.example.com', sideEffects: 'None', admissionReviewVersions: ['v1'] },
      clientConfig: { url: `https://127.0.0.1:${port}`, caBundle: Buffer.from(ca).toString('base64') },
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    };
    const configuration = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' };
    writeFileSync(
      path.join(folder.folder, 'guard.json'),
      JSON.stringify({ ...configuration, metadata: { name: 'guard' }, webhooks: [webhook] }),
    );
    const log = path.join(root, 'fixtures/replay/audit.log');
    const words = ['-f', log, '--state', 'guard.json', '--rate', '20/s', '--for', '1s', '-o', 'json'];
    const { stdout, exitCode } = await runCommand(Replay, words, { cwd: folder.folder });
    expect([exitCode, JSON.parse(stdout).sent, received]).toEqual([0, 20, 20]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
