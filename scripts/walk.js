#!/usr/bin/env node
// Walks through the documents as a reader with only the package: packs it, installs it into an empty folder, and runs every shell block of its README.md
// and docs/*.md in dash, bash and zsh, as far as they are installed, with the first Node in PATH and a HOME that is empty at the start.
// node scripts/walk.js [SHELL...] [--only TEXT]; --list only lists the blocks, those of this folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shellBlocks } from './walk/blocks.js';
import { preparations } from './walk/preparations.js';
import { reasonToSkip, runBlock } from './walk/run-block.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const options = { only: { type: 'string', default: '' }, list: { type: 'boolean', default: false } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const shells = positionals.length > 0 ? positionals : ['dash', 'bash', 'zsh'];
const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'webhook-cli-walk-'));
try {
  const packageFolder = values.list ? root : install();
  const prepared = withPreparations(shellBlocks(packageFolder));
  const chosen = prepared.filter(({ block }) => `${block.page} ${block.text}`.includes(values.only));
  if (values.list) for (const { block, preparation } of chosen) process.stdout.write(`${nameOf(block)}${listed(preparation)}\n`);
  else await walkIn(shells, chosen, packageFolder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function nameOf({ page, line }) {
  return `${page}:${line}`;
}

function listed({ skipped } = {}) {
  return skipped === undefined ? '' : ` skipped: ${skipped}`;
}

/** Returns the folder of the installed package. */
function install() {
  const npm = (argv, cwd) => execFileSync('npm', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root));
  npm(['init', '--yes'], folder);
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', path.join(folder, filename)], folder);
  return path.join(folder, 'node_modules/webhook-cli');
}

/** Returns each block with the entry of the longest start that it has. An entry without a block is an error. */
function withPreparations(blocks) {
  const entries = Object.entries(preparations).flatMap(([page, starts]) =>
    Object.entries(starts).map(([start, preparation]) => ({ page, start, preparation })),
  );
  const prepared = blocks.map(block => {
    const [entry] = entries
      .filter(({ page, start }) => page === block.page && block.text.startsWith(start))
      .sort((a, b) => b.start.length - a.start.length);
    const after = entry?.preparation.after;
    const earlier = after === undefined ? '' : blocks.find(({ page, text }) => page === block.page && text.startsWith(after)).text;
    return { block, entry, preparation: entry?.preparation, earlier };
  });
  const unused = entries.filter(entry => prepared.every(other => other.entry !== entry));
  if (unused.length > 0)
    throw new Error(`preparations without a block: ${unused.map(({ page, start }) => `${page}: ${start}`).join(', ')}`);
  return prepared;
}

async function walkIn(shells, prepared, packageFolder) {
  process.stdout.write(`Node ${execFileSync('node', ['--version'], { encoding: 'utf8' })}`);
  mkdirSync(path.join(folder, 'home'));
  let failed = 0;
  for (const shell of shells) failed += await walk(shell, prepared, packageFolder);
  process.stdout.write(failed === 0 ? 'the documents work from the package\n' : `${failed} blocks do not work\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Returns the number of blocks that do not work in a shell. */
async function walk(shell, prepared, packageFolder) {
  if (spawnSync(shell, ['-c', 'true']).status !== 0) {
    process.stdout.write(`${shell}: skipped, it is not installed\n`);
    return 0;
  }
  let [passed, failed] = [0, 0];
  for (const [i, { block, preparation, earlier }] of prepared.entries()) {
    const name = `${shell}: ${nameOf(block)}`;
    const reason = reasonToSkip(preparation ?? {});
    if (reason !== undefined) {
      process.stdout.write(`${name}: skipped, ${reason}\n`);
      continue;
    }
    const ownFolder = path.join(folder, `${shell}-${i}`);
    mkdirSync(ownFolder);
    const [home, bin] = [path.join(folder, 'home'), path.join(folder, 'node_modules/.bin')];
    const wrong = await runBlock(block, { preparation, earlier, shell, folder: ownFolder, packageFolder, home, bin });
    if (wrong === undefined) passed += 1;
    else {
      failed += 1;
      process.stdout.write(`${name}: ${wrong}\n`);
    }
  }
  process.stdout.write(`${shell}: ${passed} blocks work\n`);
  return failed;
}
