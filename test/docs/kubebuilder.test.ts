import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../src/suites/process/start-process.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const page = readFileSync(path.join(root, 'docs/kubebuilder.md'), 'utf8');

/** The blocks below a heading. */
function blocksBelow(heading: string): string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(page) ?? [];
  return [...section.matchAll(/```text\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** In place of Go, `go run ./cmd --webhook-cert-path=FOLDER`: serves as the manager does, and needs an API server as it does. */
const go = `#!${process.execPath}
const { readFileSync } = require('node:fs');
const folder = process.argv.join(' ').match(/^.* run \\.\\/cmd .*--webhook-cert-path=(\\S+)/)[1];
if (!readFileSync(process.env.KUBECONFIG, 'utf8').includes('https://127.0.0.1:')) process.exit(1);
const pair = { cert: readFileSync(folder + '/tls.crt'), key: readFileSync(folder + '/tls.key') };
require('node:https').createServer(pair, async (request, response) => {
  if (!request.url.startsWith('/validate-stable-example-com-v1-crontab')) return response.writeHead(404).end();
  const { request: { uid } } = JSON.parse(Buffer.concat(await request.toArray()));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true } }));
}).listen(9443, '127.0.0.1');
`;

it.skipIf(process.platform === 'win32')('the commands of docs/kubebuilder.md work in a project', { timeout: 120_000 }, async () => {
  const [scaffolded = ''] = blocksBelow('A project with webhooks');
  const [manager = '', calls = ''] = blocksBelow('By hand');
  const [init = '', suites = ''] = scaffolded.trimEnd().split('\n').slice(-2);
  const [certificates = '', served = ''] = manager.trimEnd().split('\n');
  expect([init, suites, certificates.split(' ', 3).join(' '), served.split(' ', 2).join(' '), calls.trimEnd().split('\n').length]).toEqual([
    ...['webhook-cli init', 'webhook-cli test webhook-tests', 'webhook-cli certs create', 'webhook-cli apiserver', 3],
  ]);
  const port = String(await freePort());
  const { folder, remove } = temporaryFolder({
    'bin/webhook-cli': `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`,
    'bin/go': go.replace('9443', port),
  });
  const project = path.join(folder, 'project');
  const sh = async (script: string): Promise<string> => {
    const env = { ...process.env, HOME: folder, PATH: `${folder}/bin:${process.env['PATH']}`, WEBHOOK_CLI_TRUST: '1' };
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { cwd: project, env });
    return stdout;
  };
  try {
    for (const name of ['webhook-cli', 'go']) chmodSync(path.join(folder, 'bin', name), 0o755);
    cpSync(path.join(root, 'fixtures/projects/crontab'), project, { recursive: true });
    expect(await sh(init)).toMatch(/\nnext: webhook-cli test webhook-tests\n$/);
    for (const name of ['webhook-cli.yaml', 'webhook-tests/first.webhook-test.yaml']) {
      const file = path.join(project, name);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('9443', port));
    }
    expect(await sh(suites)).toContain('\n1 passed, 0 failed');
    const wait = 'webhook-cli wait -f config/webhook/manifests.yaml 2> wait.log';
    const own = calls.replaceAll('shop_v1_widget', 'stable_v1_crontab');
    const printed = await sh(`${certificates}\n${served} > manager.log 2>&1 &\ntrap 'kill $!; wait $! || true' EXIT\n${wait}\n${own}`);
    expect(printed).toContain('\nvalidating  validating-webhook-configuration/vcrontab.kb.io  yes\n');
    expect(printed).toContain('crontab.stable.example.com/crontab-sample created\n');
    expect(printed).toMatch(/nothing found\n?$/);
  } finally {
    remove();
  }
});
