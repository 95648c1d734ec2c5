#!/usr/bin/env node
// Generates parts of README.md and docs/*.md: the table of commands, and the output of the commands after `$`; also the schema of suite
// files, the types of the library's options, and the rooms in ARCHITECTURE.md. With --check it only reports whether they are up to date.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

import { main } from '../dist/src/cli/main.js';
import { processSurroundings } from '../dist/src/cli/shell/process-surroundings.js';
import { callChecks } from '../dist/src/client/options/call-checks.js';
import { lintRules } from '../dist/src/lint/rules/rules.js';
import { compareSeverities } from '../dist/src/lint/severity.js';
import { reportFormats } from '../dist/src/reports/report-formats.js';
import { suiteSchema } from '../dist/src/suites/reading/suite-schema.js';
import { kubernetesTypes } from './kubernetes-types.js';
import { masked } from './masked.js';
import { operationsTable } from './operations-table.js';
import { flagOptionTypes } from './option-types.js';
import { pictureOf } from './picture.js';
import { isPublished, repositoryName } from './repository.js';

// Most functions run a few times: with V8's default, optimizing them takes a fifth of the CPU time. Only for Node 20, where it was measured.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=540000');

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const surroundings = processSurroundings();
/** A command that needs no shell, but for its exit code. */
const plainCommand = /^webhook-cli((?: (?:'[^']*'|[\w./:=,@-]+))+)(; echo "exit code \$\?")?$/;
const tables = {
  commands: [['command', 'does'], ...commandRows()],
  'lint rules': [
    ['rule', 'severity', 'why', 'what to do'],
    ...[...lintRules].sort(compareSeverities).map(({ id, severity, reason, fix }) => [`\`${id}\``, severity, reason, fix]),
  ],
  'report formats': [['format', 'shows'], ...Object.entries(reportFormats).map(([name, { shows }]) => [`\`${name}\``, shows])],
  checks: [['check', 'does'], ...callChecks.map(({ name, does }) => [`\`${name}\``, does])],
};
const docs = path.join(root, 'docs');
const pages = existsSync(docs) ? readdirSync(docs).filter(name => name.endsWith('.md')) : [];
for (const name of ['README.md', ...pages.sort().map(page => `docs/${page}`)]) {
  await update(name, async text => withOperations(await withOutputs(withoutNotice(withRepository(withTables(text))))));
}
// The test of the architecture compares it.
if (!process.argv.includes('--check')) {
  const { importsBelow } = await import('../dist/test/architecture/cruise.js');
  const { withRooms } = await import('../dist/test/architecture/document.js');
  await update('ARCHITECTURE.md', async text => withRooms(text, await importsBelow(root, ['src', 'commands'])));
}
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

/** Writes the rows between comments such as `<!-- commands -->`. */
function withTables(text) {
  return Object.entries(tables).reduce((changed, [name, [head, ...rows]]) => {
    const lines = [head, head.map(() => '---'), ...rows].map(cells => `|${cells.map(paddedCell).join('|')}|\n`);
    const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(<!-- /${name} -->)`);
    return changed.replace(place, (_, start, end) => `${start}${lines.join('')}${end}`);
  }, text);
}

function paddedCell(text) {
  return text === '---' ? text : ` ${text.replaceAll('|', '\\|')} `;
}

function commandRows() {
  const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
  return Object.values(manifest.commands)
    .filter(({ hidden }) => !hidden)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, summary }) => [`\`${id.replaceAll(':', ' ')}\``, summary]);
}

/** The addresses of releases, which package.json names. */
function withRepository(text) {
  return text.replaceAll(/(https:\/\/github\.com\/|uses: |--repo )[\w.-]+\/webhook-cli/g, `$1${repositoryName()}`);
}

/** Removes what pages say until the first release. */
function withoutNotice(text) {
  return isPublished() ? text.replace(/<!-- not published -->\n[\s\S]*<!-- \/not published -->\n\n?/, '') : text;
}

async function withOperations(text) {
  if (!text.includes('<!-- operations -->')) return text;
  const table = await operationsTable(printedBy);
  return text.replace(/(<!-- operations -->\n)[\s\S]*(<!-- \/operations -->)/, (_, start, end) => `${start}${table}\n${end}`);
}

/** Returns the program's output for these arguments. */
async function printedBy([command, ...rest]) {
  const { printed } = await run([command, '--seed', '1', '--now', '2026-11-21T00:00:00Z', ...rest], {});
  return printed;
}

/** Runs the program in-process, because starting processes is slow; returns what it prints, and its exit code. */
async function run(argv, env) {
  let printed = '';
  const stream = { isTerminal: false, write: text => (printed += text), flush: async () => {} };
  const exitCode = await main(argv, root, { ...surroundings, stdout: stream, stderr: stream, cwd: root, env });
  return { printed, exitCode };
}

async function withOutputs(text) {
  const parts = [];
  for (const part of text.split(/(```console\n[\s\S]*?```)/)) {
    const [, block] = /^```console\n([\s\S]*?)```$/.exec(part) ?? [];
    parts.push(block === undefined ? part : `\`\`\`console\n${await withOutputsOf(block.split(/^(?=\$ )/m))}\`\`\``);
  }
  return parts.join('');
}

/** A command that ends in ` &` keeps running during the following ones. */
async function withOutputsOf(examples) {
  const [first = ''] = examples;
  const server = /^\$ (.* &)\n$/.exec(first)?.[1];
  const updated = server === undefined ? [] : [first];
  for (const example of examples.slice(updated.length)) updated.push(await withOutput(example, server));
  return updated.join('');
}

async function withOutput(example, server) {
  const [line, ...rest] = example.split('\n');
  const command = line.slice('$ '.length);
  const known = rest.join('\n');
  return `${line}\n${server === undefined ? await outputOf(command, known) : await outputBeside(server, command, known)}`;
}

/** Returns the output of a command while `webhook-cli serve ... --port 8443 > ca.crt &` runs with a free port and a separate folder. */
async function outputBeside(server, command, known) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docs-'));
  const { certificate, origin, close } = await started(server);
  writeFileSync(path.join(folder, 'ca.crt'), certificate);
  const output = await printedFor(command.replaceAll('ca.crt', `${folder}/ca.crt`).replaceAll('https://127.0.0.1:8443', origin));
  await close();
  rmSync(folder, { recursive: true });
  const shown = output.replaceAll(/127\.0\.0\.1:\d+(?=\/)/g, '127.0.0.1:8443');
  return masked(shown) === masked(known) ? known : shown;
}

/** Starts a server in-process, and waits for its certificate. Rejects if it ends before. */
async function started(command) {
  const [, words = ''] = /^webhook-cli (.*) --port 8443 > ca\.crt &$/.exec(command) ?? [];
  let printed = '';
  let interrupt = async () => {};
  const stdout = new EventEmitter();
  const ready = once(stdout, 'certificate');
  const write = text => {
    printed += text;
    if (printed.includes('END CERTIFICATE')) stdout.emit('certificate');
  };
  const stream = { isTerminal: false, write: () => {}, flush: async () => {} };
  const ended = main([...argvOf(words), '--port', '0'], root, {
    ...{ ...surroundings, cwd: root, env: cleanEnvironment(), stdout: { ...stream, write }, stderr: stream },
    onInterrupt: cleanUp => {
      interrupt = cleanUp;
      return () => {};
    },
  });
  await Promise.race([ready, ended.then(code => Promise.reject(new Error(`${command} ended with ${code}`)))]);
  return { certificate: printed, origin: printed.split('\n', 1)[0], close: () => interrupt() };
}

/** Returns the output of a command; the known output if only durations differ. */
async function outputOf(command, known) {
  const output = await printedFor(command);
  return masked(output) === masked(known) ? known : output;
}

async function printedFor(command) {
  const [, words, echoes] = plainCommand.exec(command) ?? [];
  if (words === undefined) return printedInShell(command);
  const { printed, exitCode } = await run(argvOf(words), cleanEnvironment());
  return echoes === undefined ? printed : `${printed}exit code ${exitCode}\n`;
}

function argvOf(words) {
  return (words.match(/'[^']*'|[^ ']+/g) ?? []).map(word => word.replaceAll("'", ''));
}

/** A server of this process can answer meanwhile. */
async function printedInShell(command) {
  const shell = `webhook-cli() { node bin/run.js "$@"; }; npx() { shift; webhook-cli "$@"; }; { ${command}; } 2>&1`;
  const child = spawn('bash', ['-c', shell], { cwd: root, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = [];
  for await (const chunk of child.stdout) printed.push(chunk);
  return Buffer.concat(printed).toString('utf8');
}

/** Independent of the user environment: no colors, no defaults. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(WEBHOOK_CLI_.*|FORCE_COLOR|NO_COLOR)$/.test(name)));
}

function firstDifference(a, b) {
  const [left, right] = [a.split('\n'), b.split('\n')];
  // Durations differ in every line of an output.
  const differing = left.findIndex((line, i) => masked(line) !== masked(right[i] ?? ''));
  const at = differing < 0 ? left.findIndex((line, i) => line !== right[i]) : differing;
  return `line ${at + 1}\n- ${left[at]}\n+ ${right[at]}`;
}
