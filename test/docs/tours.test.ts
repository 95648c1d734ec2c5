import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/suites/process/start-process.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

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

/** Shells of this machine; the blocks must work in all of them. zsh is that of macOS, sh that of scripts, dash on Debian. */
const shells = ['sh', 'bash', 'zsh'].filter(shell => spawnSync(shell, ['-c', 'true']).status === 0);

/** Runs a block in an empty folder, with a separate port. zsh has 0 in $! without a job, and kill 0 would end this process, too. */
async function runBlock(block: string, shell = 'sh'): Promise<Ran> {
  const program = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`;
  const { folder, remove } = temporaryFolder();
  const { folder: programs, remove: removePrograms } = temporaryFolder({ 'webhook-cli': program });
  chmodSync(path.join(programs, 'webhook-cli'), 0o755);
  const port = String(await freePort());
  const script = [
    `PATH='${programs}':"$PATH"; set -e; trap 'p=$!; if [ "\${p:-0}" -gt 0 ]; then kill "$p" 2> /dev/null || true; fi' EXIT`,
    block.replaceAll('8443', port),
  ].join('\n');
  const { stdout, stderr, status } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 110_000 });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  remove();
  removePrograms();
  return { status, stdout: stdout.replaceAll(port, '8443'), stderr: stderr.replaceAll(port, '8443'), files };
}

const refusal =
  'Error from server: error when creating "pod.yaml": admission webhook "webhook.webhook-cli.dev" denied the request: label team is missing\nexit code 1\n';

/** For machines without kubectl: creates the pod in the file of `-f` as kubectl does. */
const kubectlStandIn = path.join(import.meta.dirname, 'kubectl-stand-in.mjs');

describe.each(shells)('the tours of the README, each from an empty folder, in %s', shell => {
  it("print kubectl's output for a new webhook, and refuse what kubectl applies to an API server in memory", {
    timeout: 120_000,
  }, async () => {
    const text = '**With kubectl.**';
    const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
    const kubectl = hasKubectl ? '' : `mkdir bin; cp '${kubectlStandIn}' bin/kubectl; chmod +x bin/kubectl; PATH="$PWD/bin:$PATH"\n`;
    const { status, stdout, stderr } = await runBlock(
      `${kubectl}${blockAfter('**Webhook author.**', readme)}\n${blockAfter(text, readme)}`,
      shell,
    );
    const [, printed] = /```text\n([\s\S]*?)```/.exec(readme.slice(readme.indexOf(text))) ?? [];
    expect(stdout).toContain(refusal);
    const injected = 'webhooks.yaml: ValidatingWebhookConfiguration guard, webhook guard.example.com: caBundle written\n';
    // The webhook may listen before it is asked for.
    const lasting = stderr.replace(/^waiting: .*\n/gm, '');
    expect({
      status,
      stderr: lasting,
      stdout: stdout.slice(stdout.indexOf(refusal) + refusal.length).replace(/^\S+ is ready: .*\n/, ''),
    }).toEqual({
      status: 0,
      stderr: `${injected}${printed?.split('\n', 1)[0]}\n`,
      stdout: 'exit code 1\n',
    });
  });

  it('create and check snapshots', { timeout: 60_000 }, async () => {
    const { status, stdout, files } = await runBlock(blockAfter('**Tests in CI.**', readme), shell);
    expect(status).toBe(0);
    expect(stdout).toContain('snapshots: 1 matched');
    expect(stdout.endsWith('pod/web allowed\n')).toBe(true);
    expect(files).toEqual(expect.arrayContaining(['results.xml', 'manifests/__snapshots__/pod.yaml']));
  });
});

describe('the pages', () => {
  const pages = readdirSync(path.join(root, 'docs')).filter(name => name.endsWith('.md'));
  const blocks = ['README.md', ...pages.map(page => `docs/${page}`)].flatMap(page =>
    [...readFileSync(path.join(root, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => ({ page, block })),
  );

  it.each(shells)('have blocks that %s can parse', shell => {
    expect(blocks.length).toBeGreaterThan(10);
    const invalid = blocks.filter(({ block }) => block.includes('/dev/tcp') || spawnSync(shell, ['-n'], { input: block }).status !== 0);
    expect(invalid).toEqual([]);
  });

  it.each(shells)('show which calls reach a webhook, in %s', { timeout: 60_000 }, async shell => {
    const matching = readFileSync(path.join(root, 'docs/matching.md'), 'utf8');
    const { status, stdout, stderr } = await runBlock(blockAfter('## Before you apply a configuration', matching), shell);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('[missing-subresources]');
    expect(stdout).toMatch(/^CREATE Pod shop\/web\nPHASE .*\nvalidating {2}guard\/guard.example.com {2}yes$/m);
    expect(stdout).toMatch(/^UPDATE +pods\/ephemeralcontainers +- +-$/m);
  });
});
