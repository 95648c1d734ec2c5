import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import { stringAt } from '../../src/go/value.js';
import { type RunningServer, startServer } from '../../src/webhook-server/server.js';
import { type CommandOptions, type CommandResult, runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: RunningServer;
let ca: string;
/** Names of the reviewed objects, in order. */
let asked: string[] = [];
/** Number of refusals before an object is allowed. */
let refusals = new Map<string, number>();

beforeAll(async () => {
  const certs = await issueServingPair({ dns: [], ips: [] }, new Date());
  ca = certs.ca;
  const handler = (request: Parameters<Parameters<typeof startServer>[0]['handler']>[0]) => {
    const name = stringAt(request, 'name');
    asked.push(name);
    const left = refusals.get(name) ?? 0;
    refusals.set(name, left - 1);
    return left > 0 ? { allowed: false as const, code: 403, reason: 'Forbidden', message: 'not now' } : { allowed: true as const };
  };
  server = await startServer({ handler, cert: certs.cert, key: certs.key, host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
snapshot: false
cases:
${names.map(name => `- {name: ${name}, filename: ${name}.yaml, expect: {allowed: true}}\n`).join('')}`;

let folder: string;
let remove: () => void;

beforeEach(() => {
  asked = [];
  refusals = new Map();
  const manifests = names.map(name => [`${name}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`]);
  ({ folder, remove } = temporaryFolder({ 'ca.crt': ca, 's.webhook-test.yaml': suite, ...Object.fromEntries(manifests) }));
});
afterEach(() => remove());

function test(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const webhook = ['--url', `${server.origin}/validate`, '--phase', 'validating', '--ca-file', 'ca.crt'];
  return runCommand(Test, [...webhook, ...argv], { cwd: folder, env: { XDG_CACHE_HOME: path.join(folder, '.cache') }, ...options });
}

const lastLine = ({ stdout }: CommandResult): string => (stdout.trimEnd().split('\n').at(-1) ?? '').replace(/ +\([^)]*\)$/, '');

describe('the cases that run', { timeout: 60_000 }, () => {
  it('are those with matching names', async () => {
    const result = await test(['--run', '^(a|c)$']);
    expect([asked.sort(), result.exitCode, lastLine(result)]).toEqual([['a', 'c'], 0, '2 passed, 0 failed, 6 skipped']);
    asked = [];
    await test(['--run', 's > [gh]']);
    expect(asked.sort()).toEqual(['g', 'h']);
  });

  it.each([
    ['--run', 'x', 3, 'error: no tests ran: no case matches "x"\n'],
    ['--run', 'a(', 2, 'error: invalid --run "a(": expected a regular expression; error parsing regexp: missing closing ): `a(`\n'],
    ['--shard', '3/2', 2, 'error: invalid --shard "3/2": expected I/N with I from 1 to N, such as 2/4\n'],
  ])('are rejected for %s %s', async (flag, value, code, sentence) => {
    const { exitCode, stderr } = await test([flag, value]);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: sentence });
  });

  it('are in one shard each, which does not change when other cases come and go', async () => {
    const parts: string[][] = [];
    for (const shard of ['1/3', '2/3', '3/3']) {
      asked = [];
      await test(['--shard', shard]);
      parts.push(asked.sort());
    }
    expect(parts.flat().sort()).toEqual(names);
    writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite.replace('- {name: a, filename: a.yaml, expect: {allowed: true}}\n', ''));
    asked = [];
    await test(['--shard', '1/3']);
    expect(asked.sort()).toEqual(parts[0]?.filter(name => name !== 'a'));
  });

  it('are those that did not pass in the last run, with --last-failed', async () => {
    refusals.set('b', 1);
    expect((await test([])).exitCode).toBe(1);
    asked = [];
    expect((await test(['--last-failed'])).exitCode).toBe(0);
    expect(asked).toEqual(['b']);
    const nothing = await test(['--last-failed']);
    expect([nothing.exitCode, nothing.stderr]).toEqual([0, 'no case failed in the last run in this folder\n']);
  });

  it('are all of them with --last-failed if the record of the last run is damaged', async () => {
    refusals.set('b', 1);
    await test([]);
    const records = path.join(folder, '.cache/webhook-cli/last-failed');
    const record = path.join(records, readdirSync(records)[0] ?? '');
    writeFileSync(record, readFileSync(record, 'utf8').replace('b"', 'c"'));
    asked = [];
    await test(['--last-failed', '--concurrency', '1']);
    expect(asked).toEqual(names);
  });

  it('have another order with a seed, reproducible with that seed, and the same results', async () => {
    const inOrder = await test(['--concurrency', '1']);
    expect(asked).toEqual(names);
    const orders: string[] = [];
    for (const seed of ['7', '7', '8']) {
      asked = [];
      const { stdout } = await test(['--concurrency', '1', '--seed', seed]);
      expect(withoutTimes(stdout)).toBe(withoutTimes(inOrder.stdout));
      orders.push(asked.join(''));
    }
    expect([orders[0] === orders[1], orders[0] === orders[2], orders[0] === names.join('')]).toEqual([true, false, false]);
  });

  it('stop at the first failure with --fail-fast', async () => {
    refusals.set('c', 1);
    const result = await test(['--fail-fast', '--concurrency', '1']);
    expect([asked, result.exitCode, lastLine(result)]).toEqual([['a', 'b', 'c'], 1, '2 passed, 1 failed, 5 skipped']);
  });

  it('are retried, and reported as flaky', async () => {
    refusals.set('d', 2);
    const result = await test(['--retries', '2', '--run', '^d$']);
    expect([asked, result.exitCode]).toEqual([['d', 'd', 'd'], 0]);
    expect(result.stdout).toContain('flaky: passed on retry (3 attempts)');
    refusals.set('d', 2);
    expect((await test(['--retries', '1', '--run', '^d$'])).exitCode).toBe(1);
  });

  it('are reported as far as they ran when they are interrupted', async () => {
    let interrupt = async (): Promise<void> => {};
    let interrupted: Promise<void> | undefined;
    const onInterrupt = (cleanUp: () => Promise<void>) => {
      interrupt = cleanUp;
      return () => {};
    };
    const seen = asked;
    seen.push = name => {
      if (name === 'c') interrupted = interrupt();
      return Array.prototype.push.call(seen, name);
    };
    // With snapshots: interrupted cases must not write any.
    writeFileSync(
      path.join(folder, 's.webhook-test.yaml'),
      suite.replace('snapshot: false\n', '').replaceAll(/(?<=name: [ab], .*)}$/gm, ', snapshot: false}'),
    );
    await test(['--concurrency', '1', '--reporter', 'json=report.json'], { onInterrupt });
    await interrupted;
    const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8'));
    expect(readdirSync(folder)).not.toContain('__snapshots__');
    expect([report.complete, report.suites[0].cases.map(({ outcome }: { outcome: string }) => outcome).join(' ')]).toEqual([
      false,
      'passed passed skipped skipped skipped skipped skipped skipped',
    ]);
  });

  it('fail as unreachable, not as different, when nothing listens', async () => {
    const { exitCode, stdout } = await out(['--run', '^a$']);
    expect([exitCode, stdout]).toEqual([4, expect.stringMatching(/call: .*dial tcp 127\.0\.0\.1:1: connect: connection refused/)]);
    writeFileSync(path.join(folder, 's.webhook-test.yaml'), suite.replaceAll('{allowed: true}', '{code: 500}'));
    expect((await out(['--run', '^a$'])).exitCode).toBe(0);
  });
});

/** The webhook is not running. */
function out(argv: readonly string[]): Promise<CommandResult> {
  return runCommand(Test, ['--url', 'https://127.0.0.1:1/', ...argv], {
    cwd: folder,
    env: { XDG_CACHE_HOME: path.join(folder, '.cache') },
  });
}

function withoutTimes(text: string): string {
  return text.replace(/ {2}(\d[\d.]* m?s|\(\d[^)]*\))/g, '');
}
