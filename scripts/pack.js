#!/usr/bin/env node
// Packs what is published: the built files that package.json lists, with a package.json for users, without scripts and development packages.
// node scripts/pack.js FOLDER writes the tarball into the folder, and prints its path.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Returns package.json as it is published: an installation runs no script, and npm warns of none. */
export function publishedManifest(manifest) {
  const { scripts: _, devDependencies: __, allowScripts: ___, ...published } = manifest;
  return published;
}

/** Writes the tarball into `destination`; returns its path, its size in bytes, packed and unpacked, and its files. Fails if the program is not built. */
export function packPackage(destination) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const missing = [...manifest.files, 'LICENSE'].find(name => !existsSync(path.join(root, name)));
  if (missing !== undefined) throw new Error(`${missing} is missing: run npm run build`);
  const staged = mkdtempSync(path.join(tmpdir(), 'webhook-cli-pack-'));
  try {
    for (const name of [...manifest.files, 'LICENSE']) cpSync(path.join(root, name), path.join(staged, name), { recursive: true });
    writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
    mkdirSync(destination, { recursive: true });
    // A script of npm's own on Windows.
    const options = { cwd: staged, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' };
    const argv = ['pack', '--ignore-scripts', '--json', '--pack-destination', path.resolve(destination)];
    const [{ filename, size, unpackedSize, files }] = JSON.parse(execFileSync('npm', argv, options));
    return { tarball: path.join(path.resolve(destination), filename), size, unpackedSize, files: files.map(file => file.path) };
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [destination] = process.argv.slice(2);
  if (destination === undefined) {
    process.stderr.write('usage: node scripts/pack.js FOLDER\n');
    process.exitCode = 2;
  } else {
    process.stdout.write(`${packPackage(destination).tarball}\n`);
  }
}
