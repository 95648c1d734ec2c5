// Runs the most frequently used commands to create their V8 code caches.
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { allowingWebhook } from './traced-modules.js';

const run = promisify(execFile);

/**
 * Returns pairs of a name, `COMMAND-PART.v8`, and a file in `folder` as bin/run.js keeps it, made with this executable of Node. Rejects if
 * a command fails.
 */
export async function codeOfCommands(root, node, folder) {
  const { server, ca } = await allowingWebhook();
  try {
    const caFile = path.join(folder, 'ca.crt');
    writeFileSync(caFile, ca);
    const cache = path.join(folder, 'cache');
    const env = { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
    for (const argv of commandsOf(root, folder, ['--url', `https://127.0.0.1:${server.address().port}/`, '--ca-file', caFile])) {
      await run(node, [path.join(root, 'bin/run.js'), ...argv], { cwd: folder, env });
    }
    const files = readdirSync(cache, { recursive: true }).filter(name => name.endsWith('.v8'));
    return files.map(name => [path.basename(name), path.join(cache, name)]);
  } finally {
    server.close();
  }
}

function commandsOf(root, folder, webhook) {
  const pod = path.join(root, 'fixtures/manifests/pod-sidecar.yaml');
  const suite = path.join(folder, 'pods.webhook-test.yaml');
  const cases = [{ name: 'allowed', filename: pod, expect: { allowed: true } }];
  writeFileSync(suite, JSON.stringify({ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', cases }));
  return [
    ['review', ...webhook, '-f', pod],
    ['request', '-f', pod],
    ['match', ...webhook, '-f', pod],
    ['test', ...webhook, '--update', suite],
    ['lint', '-f', path.join(root, 'fixtures/lint/fail-without-exclusion.yaml')],
    ['certs', 'create'],
  ];
}
