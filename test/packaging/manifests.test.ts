import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const archives = [
  'webhook-cli-linux-x64.tar.gz',
  'webhook-cli-linux-arm64.tar.gz',
  'webhook-cli-darwin-x64.tar.gz',
  'webhook-cli-darwin-arm64.tar.gz',
  'webhook-cli-windows-x64.tar.gz',
  'webhook-cli-windows-arm64.tar.gz',
];
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = temporaryFolder(Object.fromEntries(archives.map(name => [name, `content of ${name}`]))));
});
afterEach(() => remove());

const bases = ['docker.io/library/debian:12-slim', 'gcr.io/distroless/cc-debian12:nonroot'].map(
  (image, i) => `${image}=sha256:${String(i).repeat(64)}`,
);

function generate(given = bases): { status: number | null; stderr: string } {
  const argv = [
    ...[path.join(root, 'scripts/packages.js'), '--repository', 'example/webhook-cli', '--archives', folder],
    ...given.flatMap(base => ['--base', base]),
  ];
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  return { status, stderr };
}

function made(name: string): string {
  return readFileSync(path.join(folder, name), 'utf8');
}

function sha256Of(name: string): string {
  return createHash('sha256').update(`content of ${name}`).digest('hex');
}

describe('files for package managers', () => {
  it('fails when an archive is missing', () => {
    writeFileSync(path.join(folder, 'list.json'), '');
    const missing = spawnSync(process.execPath, [path.join(root, 'scripts/packages.js'), '--repository', 'a/b', '--archives', root], {
      encoding: 'utf8',
    });
    expect(missing.status).not.toBe(0);
    expect(missing.stderr).toContain('webhook-cli-linux-x64.tar.gz');
    expect(existsSync(path.join(root, 'SHA256SUMS'))).toBe(false);
  });

  it('has the checksum of each archive in the format of sha256sum', () => {
    expect(generate()).toEqual({ status: 0, stderr: '' });
    expect(made('SHA256SUMS')).toBe(archives.map(name => `${sha256Of(name)}  ${name}\n`).join(''));
  });

  /** Source: krew pkg/index/validation/validate.go. */
  it("has a manifest that krew's validation accepts", () => {
    generate();
    const manifest = parse(made('webhook.yaml'));
    expect(Object.keys(manifest)).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(manifest).toMatchObject({ apiVersion: 'krew.googlecontainertools.github.com/v1alpha2', kind: 'Plugin' });
    expect(manifest.metadata).toEqual({ name: expect.stringMatching(/^[\w-]+$/) });
    expect(manifest.spec.version).toBe(`v${version}`);
    expect(manifest.spec.shortDescription).toMatch(/^[^\r\n]{1,60}$/);
    expect(manifest.spec.description).not.toBe('');
    expect(manifest.spec.homepage).toMatch(/^https:/);
    const seen = manifest.spec.platforms.map((platform: Record<string, unknown>, i: number) => {
      expect(Object.keys(platform)).toEqual(['selector', 'uri', 'sha256', 'bin', 'files']);
      expect(platform['uri']).toBe(`https://github.com/example/webhook-cli/releases/download/v${version}/${archives[i]}`);
      expect(platform['sha256']).toBe(sha256Of(archives[i] ?? ''));
      expect(platform['files']).toContainEqual({ from: platform['bin'], to: '.' });
      expect(platform['files']).toContainEqual({ from: 'LICENSE', to: '.' });
      return platform['selector'];
    });
    expect(seen).toEqual(['linux', 'darwin', 'windows'].flatMap(os => ['amd64', 'arm64'].map(arch => ({ matchLabels: { os, arch } }))));
  });

  it('has a formula with the archives of macOS and Linux, and as many ends as blocks', () => {
    generate();
    const formula = made('webhook-cli.rb');
    const blocks = [...formula.matchAll(/ {2}on_(\w+) do\n|^class |^ {2}(?:def|test)\b/gm)];
    expect([...formula.matchAll(/^ *end$/gm)]).toHaveLength(blocks.length);
    const pairs = [...formula.matchAll(/on_(arm|intel) do\n {6}url "[^"]*\/([^"/]+)"\n {6}sha256 "([0-9a-f]{64})"/g)];
    expect(pairs.map(([, cpu, archive, sum]) => [cpu, archive, sum])).toEqual(
      ['darwin-x64', 'darwin-arm64', 'linux-x64', 'linux-arm64'].map(target => {
        const name = `webhook-cli-${target}.tar.gz`;
        return [target.endsWith('arm64') ? 'arm' : 'intel', name, sha256Of(name)];
      }),
    );
    // Source: brew audit: a description has at most 80 characters, no article first and no full stop.
    expect(/desc "(.*)"/.exec(formula)?.[1]).toMatch(/^(?!An? |The )[^"]{1,79}[^".]$/);
  });

  it.each([
    ['is missing', bases.slice(1)],
    ['is a tag', ['docker.io/library/debian:12-slim=latest', ...bases.slice(1)]],
  ])('writes nothing if the digest of a base image %s', (_, given) => {
    const { status, stderr } = generate(given);
    const image = 'docker.io/library/debian:12-slim';
    expect([status, stderr, existsSync(path.join(folder, 'Containerfile'))]).toEqual([
      2,
      `missing digest of ${image}: pass --base ${image}=sha256:DIGEST\n`,
      false,
    ]);
  });

  it('names every base image by its digest', () => {
    generate();
    const images = [...made('Containerfile').matchAll(/^FROM (\S+)/gm)]
      .map(([, image = '']) => image)
      .filter(image => !/^scratch$|^archive-/.test(image));
    expect(images).toEqual(bases.map(base => base.replace('=', '@')));
  });

  it('has a Containerfile that verifies the archive of each architecture', () => {
    generate();
    const lines = made('Containerfile').split('\n');
    for (const [arch, name] of [
      ['amd64', 'webhook-cli-linux-x64.tar.gz'],
      ['arm64', 'webhook-cli-linux-arm64.tar.gz'],
    ] as const) {
      const at = lines.indexOf(`FROM scratch AS archive-${arch}`);
      expect(lines[at + 1]).toMatch(new RegExp(`^ADD --checksum=sha256:${sha256Of(name)} https://\\S+/${name} /webhook-cli.tar.gz$`));
    }
    const instructions = lines.filter(line => line !== '' && !line.startsWith('#')).map(line => line.split(' ')[0]);
    expect([...new Set(instructions)].sort()).toEqual(['ADD', 'COPY', 'ENTRYPOINT', 'FROM', 'RUN', 'WORKDIR']);
    expect(lines).toContain('ENTRYPOINT ["/usr/local/bin/webhook-cli"]');
  });
});
