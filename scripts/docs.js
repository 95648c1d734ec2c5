#!/usr/bin/env node
// Generates parts of README.md and docs/*.md: the table of commands, and the output of the commands after `$`; also the schema of suite
// files, the types of the library's options, and the rooms in ARCHITECTURE.md. With --check it only reports whether they are up to date.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { main } from '../dist/src/cli/main.js';
import { processSurroundings } from '../dist/src/cli/process-surroundings.js';
import { suiteSchema } from '../dist/src/suites/reading/suite-schema.js';
import { importsBelow } from '../dist/test/architecture/cruise.js';
import { withRooms } from '../dist/test/architecture/document.js';
import { kubernetesTypes } from './kubernetes-types.js';
import { masked } from './masked.js';
import { operationsTable } from './operations-table.js';
import { flagOptionTypes } from './option-types.js';
import { pictureOf } from './picture.js';
import { repositoryName } from './repository.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const surroundings = processSurroundings();
const docs = path.join(root, 'docs');
const pages = existsSync(docs) ? readdirSync(docs).filter(name => name.endsWith('.md')) : [];
for (const name of ['README.md', ...pages.sort().map(page => `docs/${page}`)]) {
  await update(name, async text => withOperations(withOutputs(withRepository(withCommands(text)))));
}
// The test of the architecture compares it.
if (!process.argv.includes('--check'))
  await update('ARCHITECTURE.md', async text => withRooms(text, await importsBelow(root, ['src', 'commands'])));
await update('docs/review.svg', async known => pictureOf(['review', '--demo'], root, known));
await update('src/library/flag-options.ts', async () => flagOptionTypes());
for (const [file, text] of kubernetesTypes()) await update(file, async () => text);
await update('schemas/suite.schema.json', async () => `${JSON.stringify(suiteSchema(), null, 2)}\n`);

async function update(name, change) {
  const file = path.join(root, name);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = await change(before);
  if (before === after) process.stdout.write(`${name} is up to date\n`);
  else if (process.argv.includes('--check')) {
    process.stderr.write(`${name} is out of date: run npm run docs\n${firstDifference(before, after)}\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, after);
    process.stdout.write(`${name} written\n`);
  }
}

function withCommands(text) {
  const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
  const rows = Object.values(manifest.commands)
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, summary }) => `| \`${id.replaceAll(':', ' ')}\` | ${summary} |`);
  const table = ['| command | does |', '|---|---|', ...rows].join('\n');
  return text.replace(/(<!-- commands -->\n)[\s\S]*(<!-- \/commands -->)/, (_, start, end) => `${start}${table}\n${end}`);
}

/** The addresses of releases, which package.json names. */
function withRepository(text) {
  return text.replaceAll(/(https:\/\/github\.com\/|uses: |--repo )[\w.-]+\/webhook-cli/g, `$1${repositoryName()}`);
}

async function withOperations(text) {
  if (!text.includes('<!-- operations -->')) return text;
  const table = await operationsTable(printedBy);
  return text.replace(/(<!-- operations -->\n)[\s\S]*(<!-- \/operations -->)/, (_, start, end) => `${start}${table}\n${end}`);
}

/** Returns the program's output for these arguments, run in-process because starting processes is slow. */
async function printedBy(argv) {
  let printed = '';
  const stream = { isTerminal: false, write: text => (printed += text), flush: async () => {} };
  const [command, ...rest] = argv;
  await main([command, '--seed', '1', '--now', '2026-11-21T00:00:00Z', ...rest], root, {
    ...surroundings,
    stdout: stream,
    stderr: stream,
    cwd: root,
    env: {},
  });
  return printed;
}

function withOutputs(text) {
  return text.replace(/```console\n([\s\S]*?)```/g, (_, block) => `\`\`\`console\n${withOutputsOf(block.split(/^(?=\$ )/m))}\`\`\``);
}

/** A command that ends in ` &` keeps running during the following ones. */
function withOutputsOf(examples) {
  const [first = ''] = examples;
  const server = /^\$ (.* &)\n$/.exec(first)?.[1];
  return server === undefined
    ? examples.map(example => withOutput(example)).join('')
    : first +
        examples
          .slice(1)
          .map(example => withOutput(example, server))
          .join('');
}

function withOutput(example, server) {
  const [line, ...rest] = example.split('\n');
  const command = line.slice('$ '.length);
  // The test command is in .ci/run.
  if (command.startsWith('npm ci ')) return example;
  const known = rest.join('\n');
  return `${line}\n${server === undefined ? outputOf(command, known) : outputBeside(server, command, known)}`;
}

/** Returns the output of a command while `webhook-cli serve ... --port 8443 > ca.crt &` runs with a free port and a separate folder. */
function outputBeside(server, command, known) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
  const placed = text => text.replaceAll('ca.crt', `${folder}/ca.crt`);
  const started = placed(server)
    .replace('webhook-cli', 'node bin/run.js')
    .replace('--port 8443', '--port 0')
    .replace(/ &$/, ` 2> ${folder}/log &`);
  const ready = `for i in {1..200}; do grep -qs END ${folder}/ca.crt && break; sleep 0.05; done; origin=$(head -n 1 ${folder}/ca.crt)`;
  const output = outputOf(`${started} ${ready}; ${placed(command).replaceAll('https://127.0.0.1:8443', '$origin')}; kill $!; wait $!`, '');
  rmSync(folder, { recursive: true });
  const shown = output.replaceAll(/127\.0\.0\.1:\d+(?=\/)/g, '127.0.0.1:8443');
  return masked(shown) === masked(known) ? known : shown;
}

/** Returns the output of a command; the known output if only durations differ. */
function outputOf(command, known) {
  const shell = `webhook-cli() { node bin/run.js "$@"; }; npx() { shift; webhook-cli "$@"; }; { ${command}; } 2>&1`;
  const { stdout } = spawnSync('bash', ['-c', shell], { cwd: root, encoding: 'utf8', env: cleanEnvironment() });
  return masked(stdout) === masked(known) ? known : stdout;
}

/** Independent of the user environment: no colors, no defaults. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(WEBHOOK_CLI_.*|FORCE_COLOR|NO_COLOR)$/.test(name)));
}

function firstDifference(a, b) {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, i) => line !== right[i]);
  return `line ${at + 1}\n- ${left[at]}\n+ ${right[at]}`;
}
