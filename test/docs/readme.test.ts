import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/suites/process/start-process.js';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

const docs = path.join(root, 'docs');
const certificates = readFileSync(path.join(docs, 'certificates.md'), 'utf8');
const pages = existsSync(docs)
  ? readdirSync(docs)
      .filter(name => name.endsWith('.md'))
      .sort()
  : [];

describe('README.md and docs', () => {
  it('contain the output of their commands, and all commands', { timeout: 90_000 }, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/docs.js', '--check'], { cwd: root, encoding: 'utf8' });
    const files = ['README.md', ...pages.map(page => `docs/${page}`)];
    const packages = readdirSync(path.join(root, 'src/kubernetes/object-types')).filter(name => name !== 'kinds.ts');
    const objectTypes = [...packages.sort(), 'kinds.ts'].map(name => `src/kubernetes/object-types/${name}`);
    expect({ stdout, stderr, status }).toEqual({
      stdout: [...files, 'docs/review.svg', 'src/library/flag-options.ts', ...objectTypes, 'schemas/suite.schema.json']
        .map(name => `${name} is up to date\n`)
        .join(''),
      stderr: '',
      status: 0,
    });
  });

  it('starts with what it is and one command, and is short', () => {
    const lines = readme.split('\n');
    expect(lines[2]).toMatch(/^Test Kubernetes admission webhooks without a cluster:/);
    const commands = [...readme.matchAll(/^```sh\n(.*)\n```$/gm)].map(([, command]) => command);
    expect(commands.slice(0, 2)).toEqual([
      'npm ci --no-audit --no-fund && node bin/run.js review --demo',
      'npm ci --no-audit --no-fund && npm test',
    ]);
    expect(lines.slice(0, 10)).toContain(commands[0]);
    expect(lines.length).toBeLessThanOrEqual(150);
  });

  it('links to files that are there', () => {
    const linksOf = (name: string): string[] =>
      [...readFileSync(path.join(root, name), 'utf8').matchAll(/\]\(([^)#]+)\)/g)]
        .map(([, target]) => target ?? '')
        .filter(target => !target.includes(':'))
        .map(target => path.join(path.dirname(name), target));
    const links = ['README.md', ...pages.map(page => `docs/${page}`)].flatMap(linksOf);
    expect(links).toContain('docs/tests.md');
    expect(links.filter(target => !existsSync(path.join(root, target)))).toEqual([]);
  });

  it('sets up a working webhook with the certificate commands', { timeout: 60_000 }, async () => {
    const block = /^# Certificates\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(certificates)?.[1] ?? '';
    const port = await freePort();
    const program = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'bin/run.js')}' "$@"\n`;
    const { folder, remove } = temporaryFolder({ 'webhooks.yaml': configuration(port), 'pod.yaml': pod, 'bin/webhook-cli': program });
    chmodSync(path.join(folder, 'bin/webhook-cli'), 0o755);
    const script = [
      // A program, not a shell function, so that $! is the server and not a subshell.
      `PATH='${path.join(folder, 'bin')}':$PATH`,
      "set -e; trap 'kill $!' EXIT",
      block.replaceAll('9443', String(port)),
    ].join('\n');
    const { stdout, stderr, status } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8', timeout: 50_000 });
    remove();
    expect({ status, stderr, last: stdout.trimEnd().split('\n').at(-1) }).toMatchObject({ status: 0, last: 'pod/web created' });
  });
});

const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {automountServiceAccountToken: false, containers: [{name: c, image: "nginx:1.27"}]}\n';

function configuration(port: number): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: team}
webhooks:
- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  clientConfig:
    url: https://localhost:${port}/validate
---
apiVersion: v1
kind: Namespace
metadata: {name: default}
`;
}
