import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { folder, remove } = temporaryFolder();
afterAll(remove);

const events = readFileSync(path.join(root, 'fixtures/replay/audit.log'), 'utf8').trimEnd().split('\n');
const policy = path.join(root, 'fixtures/replay/policy.yaml');

/** Calls in many namespaces. */
const lines = Array.from({ length: 20 }, (_, i) =>
  events.map(event => event.replaceAll('"shop"', `"shop${i}"`).replaceAll('/shop/', `/shop${i}/`)),
).flat();
const log = `${lines.join('\n')}\n`;

const replay = (...words: readonly string[]) =>
  spawn(process.execPath, [path.join(root, 'bin/run.js'), 'replay', '-f', '-', '--state', policy, ...words, '-o', 'json'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });

/** Returns the report, and the signal that ended the process. */
async function ended(child: ReturnType<typeof replay>): Promise<{ readonly report: string; readonly signal: string | null }> {
  let report = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    report += chunk.toString();
  });
  // Writing to a process that was killed fails.
  child.stdin?.on('error', () => {});
  return new Promise(resolve => child.on('close', (_, signal) => resolve({ report, signal })));
}

it('gives the same report after the process was killed as without', { timeout: 120_000 }, async () => {
  const whole = replay();
  whole.stdin?.end(log);
  const { report: expected } = await ended(whole);
  expect(JSON.parse(expected).calls.replayed).toBeGreaterThan(300);

  const checkpoint = path.join(folder, 'progress');
  const words = ['--checkpoint', 'progress', '--checkpoint-every', '1ms'];
  // Stdin stays open: the process cannot end before it is killed, anywhere in the first part.
  const first = replay(...words);
  const killed = ended(first);
  first.stdin?.write(log.slice(0, Math.floor(log.length * (0.05 + 0.9 * Math.random()))));
  while (!existsSync(checkpoint)) await setTimeout(5);
  first.kill('SIGKILL');
  expect(await killed).toEqual({ report: '', signal: 'SIGKILL' });
  expect(readFileSync(checkpoint, 'utf8')).toContain('"kind":"ReplayCheckpoint"');

  const second = replay(...words);
  second.stdin?.end(log);
  expect((await ended(second)).report).toBe(expected);
  expect(existsSync(checkpoint)).toBe(false);
});
