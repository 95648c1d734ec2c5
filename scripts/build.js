#!/usr/bin/env node
// Writes the lists of rules, compiles to dist/, copies the tables of Kubernetes types next to the code that reads them, writes the list of
// commands for a fast start, and bundles the program.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.js';
import { buildLibrary } from './library.js';
import { writeLicenses } from './licenses.js';
import { buildPageParts, buildPlayground } from './pages.js';
import { writeRegistries } from './registries.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
writeRegistries(root);
const typescript = path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
const compiled = spawnSync(process.execPath, [path.join(typescript, 'bin/tsc'), '-p', root], { stdio: 'inherit', cwd: root });
cpSync(path.join(root, 'src/kubernetes/tables'), path.join(root, 'dist/src/kubernetes/tables'), { recursive: true });
cpSync(path.join(root, 'src/local-apiserver/recorded/data'), path.join(root, 'dist/src/local-apiserver/recorded/data'), {
  recursive: true,
});
removeStaleModules();
const pages = await writePages();
await writeManifest();
await writeBundle();
process.exitCode ||= compiled.status ?? 1;

/** Otherwise a command whose source was removed would still be listed. */
function removeStaleModules() {
  for (const folder of ['commands', 'src']) {
    const compiled = path.join(root, 'dist', folder);
    if (!existsSync(compiled)) continue;
    for (const name of readdirSync(compiled, { recursive: true })) {
      const source = path.join(root, folder, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
      if (!existsSync(source)) rmSync(path.join(compiled, name), { recursive: true, force: true });
    }
  }
}

/** The pages for browsers, beside the code that reads them. */
async function writePages() {
  const inputs = [];
  for (const folder of ['dist/src/pages/page-files', 'dist/bundle/page-files']) {
    inputs.push(...(await buildPageParts(root, path.join(root, folder))));
    inputs.push(...(await buildPlayground(root, path.join(root, folder, 'playground'))));
  }
  return inputs;
}

/** With a list of commands and flags, oclif loads only the command that runs. */
async function writeManifest() {
  const file = path.join(root, 'oclif.manifest.json');
  rmSync(file, { force: true });
  process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';
  const { Plugin } = await import('@oclif/core');
  const plugin = new Plugin({ root, ignoreManifest: true, respectNoCacheDefault: true, errorOnManifestCreate: true });
  try {
    await plugin.load();
    await Promise.all(
      Object.entries(plugin.manifest.commands).map(async ([id, { flags }]) =>
        addRules(flags, await plugin.findCommand(id, { must: true })),
      ),
    );
    writeFileSync(`${file}.new`, JSON.stringify({ ...plugin.manifest, commands: inOrder(plugin.manifest.commands) }));
    renameSync(`${file}.new`, file);
  } catch (error) {
    process.stderr.write(`cannot list the commands: ${error instanceof Error ? error.message : error}\n`);
  }
}

/** Returns the commands by name, those of topics last. oclif lists them in the order in which it happens to read the folders. */
function inOrder(commands) {
  const byTopic = ([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')) || (a < b ? -1 : 1);
  return Object.fromEntries(Object.entries(commands).sort(byTopic));
}

/** Adds to the flags of a command what the table of options says of their values, which oclif's list leaves out. */
function addRules(listed, { flags = {}, baseFlags = {} }) {
  for (const [name, { option }] of Object.entries({ ...flags, ...baseFlags })) {
    if (option.isPath) listed[name].isPath = true;
    if (option.risk !== undefined) listed[name].risk = option.risk;
  }
}

/** Without a bundle, the program runs the compiled modules; an outdated bundle must be removed. */
async function writeBundle() {
  try {
    const bundled = await bundle(root);
    buildLibrary(root, bundled);
    writeLicenses(root, [...pages, ...bundled.inputs]);
  } catch (error) {
    rmSync(path.join(root, 'dist/bundle/program.json'), { force: true });
    process.stderr.write(`cannot create the bundle: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
