import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../src/cli/main.js';
import { processSurroundings } from '../../src/cli/shell/process-surroundings.js';
import { readSnapshot } from '../../src/suites/snapshots/snapshot-text.js';
import { randomFrom } from '../differential/random.js';

/**
 * Kills processes that continuously run `test --update`, and checks the remaining files: `node dist/test/robustness/snapshot-kills.js
 * [COUNT] [SEED]`. Exit code 1 when a snapshot is neither the old nor the new one, or the next run does not clean up.
 */
const count = Number(process.argv[2] ?? 500);
const random = randomFrom(Number(process.argv[3] ?? 1));
const worker = fileURLToPath(new URL('./snapshot-worker.js', import.meta.url));
const root = path.resolve(path.dirname(worker), '../../..');
const stream = { isTerminal: false, write: () => {}, flush: async () => {} };
const surroundings = { ...processSurroundings(), stdout: stream, stderr: stream, env: {} };

/** Every snapshot written by a complete run, by name. */
const known = new Map<string, Set<string>>();
const bad: string[] = [];
let leftOvers = 0;
let snapshots = 0;
for (let i = 0; i < count; i += 1) {
  const folder = mkdtempSync(path.join(tmpdir(), 'snapshot-kills-'));
  await killAtSomePoint(folder);
  const faults = [...faultsOf(folder), ...(await faultsOfNextRun(folder))];
  if (faults.length > 0) bad.push(faults.join('; '));
  rmSync(folder, { recursive: true });
}
console.log(`${bad.length} bad of ${count} kills; ${snapshots} snapshots looked at; left-overs removed by the next run: ${leftOvers}`);
for (const fault of bad.slice(0, 10)) console.log(`  ${fault}`);
if (bad.length > 0) process.exitCode = 1;

/** Starts a worker and kills it within a fifth of a second after its first turn. */
function killAtSomePoint(folder: string): Promise<void> {
  const child = spawn(process.execPath, [worker, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const wait = random.below(2000) / 10;
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), wait));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error('the worker ended by itself'))));
  });
}

/** A snapshot is complete if an undisturbed run writes the same one; others are checked below. */
function faultsOf(folder: string): string[] {
  return finished(folder).flatMap(name => {
    snapshots += 1;
    const text = readFileSync(path.join(folder, '__snapshots__', name), 'utf8');
    const read = readSnapshot(text);
    if ('message' in read) return [`${name} ${read.message}`];
    return isWhole(name, text) ? [] : [`${name} is neither the old one nor the new one`];
  });
}

/** It contains only one image, and has a complete end. */
function isWhole(name: string, text: string): boolean {
  const images = new Set([...text.matchAll(/nginx:\d/g)].map(([image]) => image));
  const texts = known.get(name) ?? new Set<string>();
  known.set(name, texts.add(text));
  return images.size === 1 && texts.size <= 2 && text.endsWith(`case: ${name.replace('.yaml', '')}\n`);
}

async function faultsOfNextRun(folder: string): Promise<string[]> {
  const before = readdirSync(path.join(folder, '__snapshots__'));
  leftOvers += before.filter(name => name.startsWith('.')).length;
  const exitCode = await main(['test', '.', '--demo', '--update'], root, { ...surroundings, cwd: folder });
  const strays = readdirSync(path.join(folder, '__snapshots__')).filter(name => !/^[a-f]\.yaml$/.test(name));
  return [...(exitCode === 0 ? [] : [`the next run ends with ${exitCode}`]), ...strays.map(name => `the next run leaves ${name}`)];
}

function finished(folder: string): string[] {
  return readdirSync(path.join(folder, '__snapshots__')).filter(name => name.endsWith('.yaml') && !name.startsWith('.'));
}
