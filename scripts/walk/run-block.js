import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { masked } from '../masked.js';
import { filesOf, session } from './blocks.js';

/** The ports that the documents name; each block gets unused ones. */
const namedPorts = ['8443', '9443'];
/** For a command that does not end; far above what any block takes on a busy machine. */
const maxMs = 240_000;

/**
 * Runs a block in a shell, in an empty folder, or in the folder of the package if it uses fixtures. Returns undefined if it does what the documents say,
 * and otherwise what is wrong. `bin` has the installed program, `home` is the reader's folder.
 */
export async function runBlock(block, { preparation = {}, earlier = '', shell, folder, packageFolder, home, bin }) {
  const ports = await unusedPorts(namedPorts.length);
  const placed = text => namedPorts.reduce((all, port, i) => all.replaceAll(port, ports[i]), text);
  const shown = text => namedPorts.reduce((all, port, i) => all.replaceAll(ports[i], port), text);
  const usesPackage = block.language === 'console' || block.text.includes('fixtures/');
  const programs = prepare(block, preparation, { folder, packageFolder, placed });
  const { script, shown: expected } = block.language === 'console' ? session(block) : { script: block.text };
  const replaced = (preparation.replaced ?? []).reduce((text, [from, to]) => text.replace(from, to), script);
  const text = [
    block.language === 'console' ? 'rm -f ca.crt' : 'set -e',
    preparation.before ?? '',
    earlier === '' ? '' : `{\n${earlier}} > earlier.log 2>&1`,
    replaced,
  ].join('\n');
  const ran = await runScript(placed(text), {
    shell,
    cwd: usesPackage ? packageFolder : folder,
    env: { ...cleanEnvironment(), HOME: home, BROWSER: 'none', PATH: [programs, bin, process.env.PATH].join(path.delimiter) },
    until: preparation.until === undefined ? undefined : output => preparation.until.test(shown(output)),
  });
  const output = shown(ran.output);
  return expected === undefined ? fault({ ...ran, output }, preparation) : difference(output, expected);
}

/** Returns why a block cannot run on this machine. */
export function reasonToSkip({ skipped, needs }) {
  if (skipped !== undefined) return skipped;
  return needs === undefined || spawnSync('sh', ['-c', needs]).status === 0 ? undefined : `${needs} does not work here`;
}

/** Writes the files that the block needs; returns the folder of programs. */
function prepare(block, { files = {}, copies = {}, programs = {} }, { folder, packageFolder, placed }) {
  const own = `${folder}-programs`;
  for (const name of [folder, own]) mkdirSync(name, { recursive: true });
  const page = readFileSync(path.join(packageFolder, block.page), 'utf8');
  for (const [name, text] of Object.entries({ ...filesOf(page), ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), placed(text));
  }
  for (const [from, to] of Object.entries(copies)) cpSync(path.join(packageFolder, from), path.join(folder, to), { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(own, name), text);
    chmodSync(path.join(own, name), 0o755);
  }
  return own;
}

/** Runs a script in a process group, which ends with it. It is interrupted, as with Ctrl+C, when its output is as expected. */
function runScript(script, { shell, cwd, env, until }) {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = signal => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has ended.
      }
    };
    let output = '';
    let isInterrupted = false;
    const timer = setTimeout(() => end('SIGKILL'), maxMs);
    const read = data => {
      output += data;
      if (isInterrupted || until?.(output) !== true) return;
      isInterrupted = true;
      end('SIGINT');
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    // Servers in the background keep the streams open.
    child.once('exit', () => end('SIGTERM'));
    child.once('close', (status, signal) => {
      clearTimeout(timer);
      resolve({ status, signal, output, isInterrupted });
    });
  });
}

function fault({ status, signal, output, isInterrupted }, { status: expected = 0, until, prints }) {
  const printed = `\n${output.trimEnd().replace(/^/gm, '    ')}`;
  if (until !== undefined) {
    if (!isInterrupted) return `it ends with ${status ?? signal}, and did not print ${until}${printed}`;
    return status === 0 || status === 130 || signal === 'SIGINT'
      ? undefined
      : `it ends with ${status ?? signal} when it is interrupted${printed}`;
  }
  if (status !== expected) return `it ends with ${status ?? signal}, expected ${expected}${printed}`;
  return prints === undefined || prints.test(output) ? undefined : `it does not print ${prints}${printed}`;
}

function difference(output, shown) {
  const [printed, expected] = [masked(output).split('\n'), masked(shown).split('\n')];
  const at = expected.findIndex((line, i) => line !== printed[i]);
  if (at < 0 && printed.length === expected.length) return undefined;
  const from = at < 0 ? expected.length : at;
  return `it does not print what the page shows\n    - ${expected[from] ?? ''}\n    + ${printed.slice(from, from + 5).join('\n      ')}`;
}

/** Independent of the user environment: no colors, no defaults, no cluster, no caches. */
function cleanEnvironment() {
  const isLeftOut = name => /^(WEBHOOK_CLI_.*|FORCE_COLOR|NO_COLOR|KUBECONFIG|XDG_.*|npm_.*)$/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isLeftOut(name)));
}

async function unusedPorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(server => new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(String(server.address().port))))),
  );
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}
