#!/usr/bin/env node
// Builds after an installation of the development packages, as npm's `prepare` does in a clone and for a Git dependency. npm runs it also where they are
// missing, such as for `npx` in a new clone: there it only says what to run, and ends `npm pack` and `npm publish`, whose package would be empty.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

if (hasDevelopmentPackages()) {
  await import('./build.js');
} else {
  const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '');
  process.stderr.write(`webhook-cli is not built, because its development packages are not installed: run npm ci in ${root}\n`);
  if (isPacking) process.exitCode = 1;
}

function hasDevelopmentPackages() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return ['esbuild', 'typescript-7/package.json'].every(name => resolve(name) !== '');
  } catch {
    return false;
  }
}
