#!/usr/bin/env node
// Builds a single executable: Node with the program's files as assets, and the V8 code cache of the commands. node scripts/executable.js
// [--node FILE] [--out FILE]: with another Node of this machine's platform, dist/executable/webhook-cli by default. The code cache belongs
// to one version of Node and one architecture, so every platform's executable is built there.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { codeOfCommands } from './code-of-commands.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const ending = process.platform === 'win32' ? '.exe' : '';
const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    out: { type: 'string', default: path.join(root, `dist/executable/webhook-cli${ending}`) },
  },
});
const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-executable-'));
try {
  mkdirSync(path.dirname(values.out), { recursive: true });
  const made = path.join(folder, `webhook-cli${ending}`);
  await makeExecutable(values.node, await assets(), made);
  // Replaced atomically, because the existing executable may be running.
  const beside = `${values.out}.${process.pid}`;
  copyFileSync(made, beside);
  renameSync(beside, values.out);
  process.stdout.write(`${values.out}: ${(statSync(values.out).size / 2 ** 20).toFixed(1)} MiB\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the files of the executable by their path: the files that the program reads from its package, and the code cache. */
async function assets() {
  const bundle = readdirSync(path.join(root, 'dist/bundle'), { recursive: true }).map(name => `dist/bundle/${name.replaceAll('\\', '/')}`);
  const files = ['package.json', 'oclif.manifest.json', ...bundle].filter(name => {
    return statSync(path.join(root, name)).isFile() && !/\/(?:library\.[cm]js|LICENSES\.txt)$/.test(name);
  });
  const code = await codeOfCommands(root, values.node, folder);
  return Object.fromEntries([
    ...files.map(name => [name, path.join(root, name)]),
    ...code.map(([name, file]) => [`code/${name}`, file]),
    ['dist/bundle/wasm-typescript.cjs', createRequire(import.meta.url).resolve('@swc/wasm-typescript')],
  ]);
}

async function makeExecutable(node, assets, made) {
  const main = path.join(folder, 'main.cjs');
  const external = ['../dist/*'];
  await build({
    entryPoints: [path.join(root, 'bin/run.js')],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external,
    outfile: main,
  });
  const config = path.join(folder, 'config.json');
  // Threads have no other way to the main script.
  const settings = { main, disableExperimentalSEAWarning: true, useCodeCache: true, assets: { ...assets, 'main.cjs': main } };
  const isSigned = process.platform === 'darwin';
  if (buildsExecutables(node)) {
    writeFileSync(config, JSON.stringify({ ...settings, output: made }));
    execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  } else {
    const blob = path.join(folder, 'program.blob');
    writeFileSync(config, JSON.stringify({ ...settings, output: blob }));
    execFileSync(node, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
    copyFileSync(node, made);
    chmodSync(made, 0o755);
    if (isSigned) execFileSync('codesign', ['--remove-signature', made]);
    await injectBlob(made, blob);
  }
  // macOS requires a signature; this one is ad hoc.
  if (isSigned) execFileSync('codesign', ['--force', '--sign', '-', made]);
}

/** Since version 25.5, Node can build executables itself. */
function buildsExecutables(node) {
  const [major, minor] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).split('.').map(Number);
  return major > 25 || (major === 25 && minor >= 5);
}

async function injectBlob(made, blob) {
  const { inject } = await import('postject');
  const warn = console.warn;
  // About names of sections that Node itself does not use.
  console.warn = text => /string offset for section name/.test(text) || warn(text);
  await inject(made, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    machoSegmentName: 'NODE_SEA',
  });
  console.warn = warn;
}
