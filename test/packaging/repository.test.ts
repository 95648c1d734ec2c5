import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';

type Faults = (manifest: object, expected?: string) => string[];
const script = path.join(root, 'scripts/repository.js');
const { repositoryFaults }: { readonly repositoryFaults: Faults } = await import(/* @vite-ignore */ pathToFileURL(script).href);

const manifest = (owner: string, more: object = {}): object => ({
  repository: { type: 'git', url: `git+https://github.com/${owner}/webhook-cli.git` },
  homepage: `https://github.com/${owner}/webhook-cli#readme`,
  bugs: `https://github.com/${owner}/webhook-cli/issues`,
  ...more,
});

it('refuses to publish with a placeholder, or with addresses of another repository', () => {
  expect(repositoryFaults(manifest('example'))).toEqual([]);
  expect(repositoryFaults(manifest('OWNER'))).toEqual([
    'package.json: repository.url has the placeholder OWNER: replace it, and run npm run docs',
  ]);
  expect(repositoryFaults(manifest('example', { private: true }))).toEqual([
    'package.json: private is true: remove it before the first release, and run npm run docs',
  ]);
  expect(repositoryFaults(manifest('example', { bugs: 'https://github.com/other/webhook-cli/issues' }))).toEqual([
    'package.json: bugs must be https://github.com/example/webhook-cli/issues',
  ]);
  expect(repositoryFaults(manifest('example'), 'fork/webhook-cli')).toEqual([
    'package.json: repository is example/webhook-cli, not fork/webhook-cli',
  ]);
});

it('is checked by npm publish, by its exit code', () => {
  const own: { readonly scripts: { readonly prepublishOnly: string } } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(own.scripts.prepublishOnly).toBe('node scripts/repository.js');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8', env: {} });
  expect([status, stderr]).toEqual(repositoryFaults(own).length === 0 ? [0, ''] : [1, expect.stringContaining('OWNER')]);
});

it('has the digest of every package that npm installs', () => {
  const { packages }: { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> } = JSON.parse(
    readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
  );
  const installed = Object.entries(packages).filter(([folder]) => folder !== '');
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)).map(([folder]) => folder)).toEqual(
    [],
  );
});
