#!/usr/bin/env node
// Checks types, lint and format; run it before a commit, together with the tests.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const find = createRequire(import.meta.url).resolve;
const tsc = path.join(path.dirname(find('typescript-7/package.json')), 'bin/tsc');
const checks = {
  types: [tsc, '--noEmit', '-p', root],
  'page types': [tsc, '--noEmit', '-p', path.join(root, 'pages')],
  lint: [path.join(path.dirname(find('@biomejs/biome/package.json')), 'bin/biome'), 'lint', '--error-on-warnings', '.'],
  format: [path.join(path.dirname(find('@biomejs/biome/package.json')), 'bin/biome'), 'format', '.'],
};

const asked = process.argv.slice(2);
const unknown = asked.find(name => !(name in checks));
if (unknown !== undefined) {
  process.stderr.write(`unknown check ${unknown}: use one of ${Object.keys(checks).join(', ')}\n`);
  process.exitCode = 2;
} else {
  for (const [name, command] of Object.entries(checks)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', cwd: root });
    process.stdout.write(`${name}: ${status === 0 ? 'ok' : 'failed'}\n`);
    if (status !== 0) process.exitCode = 1;
  }
}
