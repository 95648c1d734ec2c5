import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const firstWebhook = readFileSync(path.join(root, 'docs/first-webhook.md'), 'utf8');

/** The first shell block after a text. */
function blockAfter(text: string, page: string): string {
  const at = page.indexOf(text);
  expect(at).toBeGreaterThan(0);
  return /```sh\n([\s\S]*?)```/.exec(page.slice(at))?.[1] ?? '';
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: readonly string[];
}

/** Runs a block in an empty folder, with a separate port. */
async function runBlock(block: string): Promise<Ran> {
  const { folder, remove } = temporaryFolder({});
  const port = String(await freePort());
  const script = [
    `webhook-cli() { ${process.execPath} ${path.join(root, 'bin/run.js')} "$@"; }`,
    "set -e; trap 'kill $(jobs -p) 2> /dev/null || true' EXIT",
    block.replaceAll('8443', port),
  ].join('\n');
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 50_000 });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  remove();
  return { status, stdout: stdout.replaceAll(port, '8443'), stderr: stderr.replaceAll(port, '8443'), files };
}

const refusal =
  'Error from server: error when creating "pod.yaml": admission webhook "webhook.webhook-cli.dev" denied the request: label team is missing\nexit code 1\n';

/** For machines without kubectl: creates the pod in the file of `-f` as kubectl does. */
const kubectlStandIn = path.join(import.meta.dirname, 'kubectl-stand-in.mjs');

describe('the tours of the README, each from an empty folder', () => {
  it("print kubectl's output for a new webhook", { timeout: 60_000 }, async () => {
    const { status, stdout, stderr } = await runBlock(blockAfter('**Webhook author.**', readme));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.endsWith(refusal)).toBe(true);
  });

  it('refuse what kubectl applies to an API server in memory', { timeout: 120_000 }, async () => {
    const text = '**With kubectl.**';
    const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
    const kubectl = hasKubectl ? '' : `mkdir bin; cp '${kubectlStandIn}' bin/kubectl; chmod +x bin/kubectl; PATH="$PWD/bin:$PATH"\n`;
    const { status, stdout, stderr } = await runBlock(
      `${kubectl}${blockAfter('**Webhook author.**', readme)}\n${blockAfter(text, readme)}`,
    );
    const [, printed] = /```text\n([\s\S]*?)```/.exec(readme.slice(readme.indexOf(text))) ?? [];
    const injected = 'webhooks.yaml: ValidatingWebhookConfiguration guard, webhook guard.example.com: caBundle written\n';
    expect({ status, stderr, stdout: stdout.slice(stdout.indexOf(refusal) + refusal.length) }).toEqual({
      status: 0,
      stderr: `${injected}${printed?.split('\n', 1)[0]}\n`,
      stdout: 'exit code 1\n',
    });
  });

  it('show which calls reach a webhook', { timeout: 60_000 }, async () => {
    const { status, stdout, stderr } = await runBlock(blockAfter('**Platform engineer.**', readme));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '2 calls: 2 allowed, 0 refused\n' });
    expect(stdout).toContain('[missing-subresources]');
    expect(stdout).toMatch(/^CREATE Pod shop\/web\nPHASE .*\nvalidating {2}guard\/guard.example.com {2}yes$/m);
    expect(stdout).toMatch(/^UPDATE +pods\/ephemeralcontainers +- +-$/m);
  });

  it('create and check snapshots', { timeout: 60_000 }, async () => {
    const { status, stdout, files } = await runBlock(blockAfter('**CI engineer.**', readme));
    expect(status).toBe(0);
    expect(stdout).toContain('snapshots: 1 matched');
    expect(stdout.endsWith('pod/web allowed\n')).toBe(true);
    expect(files).toEqual(expect.arrayContaining(['results.xml', 'manifests/__snapshots__/pod.yaml']));
  });
});

describe('the first webhook', () => {
  it.each([
    ['Python', 'python3 --version'],
    ['Go', 'go version'],
  ])('in %s refuses a pod', { timeout: 120_000 }, async (language, probe) => {
    const block = blockAfter(`## ${language}\n`, firstWebhook);
    // The block is only syntax-checked if its language is not installed.
    expect(spawnSync('bash', ['-n', '-c', block]).status).toBe(0);
    if (spawnSync('bash', ['-c', probe]).status !== 0) return;
    const { status, stdout } = await runBlock(block);
    expect([status, stdout.slice(-refusal.length)]).toEqual([0, refusal]);
  });
});

/** Returns an unused port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>(resolve => server.close(() => resolve()));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
