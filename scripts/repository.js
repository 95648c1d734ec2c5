#!/usr/bin/env node
// The repository of the project, which package.json names in `repository`; the other addresses, and those in docs/install.md, are made from it.
// As a program (npm publish, releases) it fails until the placeholder is replaced, and for addresses of another repository.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const placeholder = 'OWNER';

/** Returns `OWNER/NAME`. */
export function repositoryName(manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))) {
  const name = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/.exec(manifest.repository?.url ?? '')?.[1];
  if (name === undefined) throw new Error('package.json: repository.url must be git+https://github.com/OWNER/NAME.git');
  return name;
}

/** Returns whether packages of the project are published: until the first release, package.json is private, and docs/install.md says so. */
export function isPublished(manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))) {
  return manifest.private !== true;
}

/** Returns the reasons why a package with this manifest must not be published; `expected` is the repository that publishes it. */
export function repositoryFaults(manifest, expected) {
  const name = repositoryName(manifest);
  const address = `https://github.com/${name}`;
  return [
    ...(isPublished(manifest) ? [] : ['package.json: private is true: remove it before the first release, and run npm run docs']),
    ...(name.startsWith(`${placeholder}/`)
      ? [`package.json: repository.url has the placeholder ${placeholder}: replace it, and run npm run docs`]
      : []),
    ...(manifest.homepage === `${address}#readme` ? [] : [`package.json: homepage must be ${address}#readme`]),
    ...(manifest.bugs === `${address}/issues` ? [] : [`package.json: bugs must be ${address}/issues`]),
    ...(expected === undefined || expected === name ? [] : [`package.json: repository is ${name}, not ${expected}`]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = repositoryFaults(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')), process.env.GITHUB_REPOSITORY);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
