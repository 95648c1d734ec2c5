import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import Test from '../../commands/test.js';
import { issueServingPair } from '../../src/certificates/issue.js';
import type { CaseResult } from '../../src/suites/results.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { threadInProcess } from '../support/thread-in-process.js';

let certs: { readonly ca: string; readonly cert: string; readonly key: string };
beforeAll(async () => {
  certs = await issueServingPair({ dns: [], ips: [] }, new Date());
});

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A review that waits for its answer. */
interface Asked {
  /** The name of its object. */
  readonly name: string;
  answer(allowed: boolean): void;
}

interface Webhook {
  readonly server: Server;
  readonly port: number;
  readonly sockets: ReadonlySet<Duplex>;
  readonly mostConnections: () => number;
}

/** A webhook whose answers are given by a callback. */
async function webhook(onReview: (asked: Asked) => void, port = 0): Promise<Webhook> {
  const sockets = new Set<Duplex>();
  let most = 0;
  const server = createServer({ cert: certs.cert, key: certs.key }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { uid, name } = JSON.parse(Buffer.concat(chunks).toString('utf8')).request;
    onReview({ name, answer: allowed => answer(response, { uid, allowed }) });
  });
  server.on('connection', socket => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { server, port: (server.address() as AddressInfo).port, sockets, mostConnections: () => most };
}

function answer(response: ServerResponse, given: { readonly uid: string; readonly allowed: boolean }): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: given }));
}

function folderWithCases(count: number, options = 'snapshot: false\n'): string {
  const names = Array.from({ length: count }, (_, i) => `c${i}`);
  const cases = names.map(name => `- {name: ${name}, filename: ${name}.yaml, expect: {allowed: true}}\n`);
  const manifests = names.map(name => [`${name}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`]);
  const suite = `apiVersion: webhook-cli.dev/v1alpha1\nkind: Suite\n${options}cases:\n${cases.join('')}`;
  const { folder, remove } = temporaryFolder({ 'ca.crt': certs.ca, 's.webhook-test.yaml': suite, ...Object.fromEntries(manifests) });
  cleanUps.push(remove);
  return folder;
}

interface Ran {
  readonly exitCode: number;
  readonly cases: readonly Pick<CaseResult, 'name' | 'outcome' | 'failures' | 'notes'>[];
}

async function test(folder: string, { port }: Pick<Webhook, 'port'>, argv: readonly string[] = [], report = 'report.json'): Promise<Ran> {
  const url = ['--url', `https://127.0.0.1:${port}/`, '--phase', 'validating', '--ca-file', 'ca.crt', '--timeout', '30s'];
  const env = { XDG_CACHE_HOME: path.join(folder, '.cache') };
  const { exitCode } = await runCommand(Test, [...url, `--reporter=json=${report}`, ...argv], {
    ...{ cwd: folder, env },
    startThread: threadInProcess,
  });
  return { exitCode, cases: JSON.parse(readFileSync(path.join(folder, report), 'utf8')).suites[0].cases };
}

const outcomes = ({ cases }: Ran): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of cases) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

/** Collects a number of reviews, then answers all of them and every later one. */
function answeredFrom(count: number): (asked: Asked) => void {
  const held: Asked[] = [];
  let seen = 0;
  return asked => {
    seen += 1;
    held.push(asked);
    if (seen >= count) for (const each of held.splice(0)) each.answer(true);
  };
}

describe('concurrent cases', { timeout: 120_000 }, () => {
  it('make 1,000 calls of one thread with a pool of 8 connections', async () => {
    const server = await webhook(answeredFrom(8));
    const ran = await test(folderWithCases(1000), server, ['--jobs', '1']);
    expect([ran.exitCode, outcomes(ran), server.mostConnections()]).toEqual([0, { passed: 1000 }, 8]);
  });

  it('are not blocked by a slow case beyond the pool', async () => {
    const count = 30;
    const ended: string[] = [];
    let slow: Asked | undefined;
    const server = await webhook(asked => {
      if (asked.name === 'c0') slow = asked;
      else {
        asked.answer(true);
        ended.push(asked.name);
      }
      if (ended.length === count - 1) slow?.answer(true);
    });
    const ran = await test(folderWithCases(count), server, ['--concurrency', '2']);
    expect([ran.exitCode, outcomes(ran), ended.length]).toEqual([0, { passed: count }, count - 1]);
  });

  it('in flight fail with their own error when the server restarts, and the others run', async () => {
    const inFlight = ['c5', 'c6'];
    const held: string[] = [];
    const first = await webhook(async asked => {
      if (!inFlight.includes(asked.name)) return asked.answer(true);
      held.push(asked.name);
      if (held.length < inFlight.length) return;
      first.server.close();
      await webhook(again => again.answer(true), first.port);
      for (const socket of first.sockets) socket.destroy();
    });
    const ran = await test(folderWithCases(12), first, ['--concurrency', '2']);
    expect([ran.exitCode, outcomes(ran)]).toEqual([4, { passed: 10, broken: 2 }]);
    const broken = ran.cases.filter(({ outcome }) => outcome === 'broken');
    expect(broken.map(({ name, failures }) => [name, failures[0]?.check, failures[0]?.message.split('\n')[0]])).toEqual(
      inFlight.map(name => [name, 'call', expect.stringMatching(/: (EOF|read tcp .*: connection reset by peer)$/)]),
    );
  });

  it('of two runs in the same folder never mix their snapshots', async () => {
    const folder = folderWithCases(16, '');
    const snapshots = path.join(folder, '__snapshots__');
    const read = () => Object.fromEntries(readdirSync(snapshots).map(name => [name, readFileSync(path.join(snapshots, name), 'utf8')]));
    const server = await webhook(asked => asked.answer(true));
    const update = (namespace: string, at: Pick<Webhook, 'port'>) =>
      test(folder, at, ['--update', '--namespace', namespace], `${namespace}.json`);
    await update('one', server);
    const one = read();
    await update('two', server);
    const two = read();
    expect(Object.keys(one)).toHaveLength(16);
    expect(Object.keys(one).filter(name => one[name] === two[name])).toEqual([]);

    const both = await webhook(answeredFrom(16));
    const runs = await Promise.all([update('one', both), update('two', both)]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const left = read();
    expect(Object.keys(left)).toEqual(Object.keys(one));
    expect(Object.keys(left).filter(name => left[name] !== one[name] && left[name] !== two[name])).toEqual([]);
  });

  it.each([[[]], [['--jobs=2', '--concurrency=8']]])(
    'in flight are reported as interrupted by --fail-fast, not as passed %j',
    async more => {
      const held: Asked[] = [];
      const server = await webhook(asked => {
        held.push(asked);
        if (held.length === 8) held.find(({ name }) => name === 'c3')?.answer(false);
      });
      // The others are never answered.
      const folder = folderWithCases(12, '');
      const ran = await test(folder, server, ['--fail-fast', '--update', '--retries', '0', ...more]);
      expect([ran.exitCode, outcomes(ran)]).toEqual([1, { failed: 1, skipped: 11 }]);
      const cutOff = ran.cases.filter(({ notes }) => notes.includes('interrupted by the end of the run'));
      expect(cutOff.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c4', 'c5', 'c6', 'c7']);
      const snapshots = path.join(folder, '__snapshots__');
      expect(existsSync(snapshots) ? readdirSync(snapshots) : []).not.toContain('s.c0.yaml');
    },
  );

  it('wait in their threads for a place, and have not been interrupted if they get none', async () => {
    const held: Asked[] = [];
    const server = await webhook(asked => {
      held.push(asked);
      if (held.length === 8) held[0]?.answer(false);
    });
    const ran = await test(folderWithCases(60), server, ['--fail-fast', '--retries', '0', '--jobs=2', '--concurrency=8']);
    expect([ran.exitCode, outcomes(ran), server.mostConnections()]).toEqual([1, { failed: 1, skipped: 59 }, 8]);
    const cutOff = ran.cases.filter(({ notes }) => notes.includes('interrupted by the end of the run'));
    expect(cutOff.map(({ name }) => name).sort()).toEqual(
      held
        .slice(1)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('of two threads make no more calls at once than one thread would', async () => {
    const seen: string[] = [];
    const server = await webhook(asked => {
      seen.push(asked.name);
      asked.answer(true);
    });
    const ran = await test(folderWithCases(200), server, ['--jobs=2', '--concurrency=8']);
    expect([ran.exitCode, outcomes(ran), new Set(seen).size]).toEqual([0, { passed: 200 }, 200]);
    expect(server.mostConnections()).toBe(8);
  });
});
