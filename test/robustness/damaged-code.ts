import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Random, randomFrom } from '../differential/random.js';
import { damages } from './damage.js';

interface Ran {
  readonly output: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface DamagedRuns {
  /** Names of the cache files, each of which was damaged in every run. */
  readonly files: readonly string[];
  /** Runs with another result than without a cache. */
  readonly wrong: readonly string[];
}

/**
 * Runs a command of the built program again and again, each time with another damage in every one of its code caches, and compares what it prints with a run
 * without a cache. `folder` is an empty cache folder.
 */
export async function runWithDamagedCode(
  program: string,
  argv: readonly string[],
  { folder, count, seed, cwd }: { readonly folder: string; readonly count: number; readonly seed: number; readonly cwd: string },
): Promise<DamagedRuns> {
  const run = (more: NodeJS.ProcessEnv = {}): Promise<Ran> => runProgram([program, ...argv], { XDG_CACHE_HOME: folder, ...more }, cwd);
  const expected = await run({ WEBHOOK_CLI_NO_CODE_CACHE: '1' });
  await run();
  const caches = cachesIn(folder).map(file => ({ file, good: readFileSync(file) }));
  const random = randomFrom(seed);
  const wrong: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const kinds = caches.map(({ file, good }) => damage(file, good, { random, number: i }));
    const ran = await run();
    // A second run with what the first one has left: no crash may repeat.
    const again = i % 20 === 0 ? await run() : ran;
    for (const { output, exitCode, signal } of [ran, again])
      if (output !== expected.output || exitCode !== expected.exitCode || signal !== null)
        wrong.push(`run ${i} (${kinds.join(', ')}): exit code ${exitCode}, signal ${signal}: ${output.slice(0, 200)}`);
  }
  return { files: caches.map(({ file }) => path.basename(file)), wrong };
}

/** Damages a file. Every kind comes in turn. */
function damage(file: string, good: Buffer, { random, number }: { readonly random: Random; readonly number: number }): string {
  const kinds = Object.entries(damages);
  const [kind, change] = kinds[number % kinds.length] ?? random.pick(kinds);
  writeFileSync(file, change(good, random));
  return kind;
}

function cachesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.v8'))
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort();
}

function runProgram(argv: readonly string[], more: NodeJS.ProcessEnv, cwd: string): Promise<Ran> {
  const { NODE_EXTRA_CA_CERTS, WEBHOOK_CLI_NO_CODE_CACHE, ...env } = process.env;
  const child = spawn(process.execPath, argv, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve({ output: Buffer.concat(chunks).toString(), exitCode, signal }));
  });
}
