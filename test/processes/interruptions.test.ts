import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Of each command; `INTERRUPTIONS=50` for a long run. */
const runs = Number(process.env['INTERRUPTIONS'] ?? 2);
/** Later than this, the children of a command run on a busy machine, too. */
const latestMs = 2500;
/** A command has two seconds for its cleanup. */
const latestEndMs = 8000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const sleeper = '#!/bin/sh\nsleep 1000 &\nsleep 1000\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: a}]}\n';
const kubeconfig = `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ./sleeper}}}]
`;
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
exec: ./sleeper
url: https://127.0.0.1:\${PORT}
cases: [{name: pod, filename: pod.yaml, expect: {allowed: true}}]
`;

const commands: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['the command of apiserver', ['apiserver', '--', 'sh', '-c', './sleeper & ./sleeper']],
  ['an exec plugin of a kubeconfig', ['match', '-f', 'pod.yaml', '--kubeconfig', 'kubeconfig']],
  ['kubectl kustomize', ['review', '--demo', '-k', '.']],
  ['the process of a suite', ['test', 'suite.webhook-test.yaml']],
  ['the process of dev', ['dev', 'suite.webhook-test.yaml']],
  ['the process of fuzz', ['fuzz', '--exec', './sleeper', '--state', 'pod.yaml', '-f', 'pod.yaml']],
];

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = temporaryFolder({
    ...{ 'pod.yaml': pod, kubeconfig, 'suite.webhook-test.yaml': suite, sleeper, 'bin/kubectl': sleeper },
    'kustomization.yaml': 'resources: [pod.yaml]\n',
    'tmp/.keep': '',
  }));
  for (const name of ['sleeper', 'bin/kubectl']) chmodSync(path.join(folder, name), 0o755);
});
afterAll(() => remove());

/** Returns the processes that have a variable with this value. */
function processesWith(value: string): string[] {
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(value) &&
        !/^\d+ \([^)]*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
      );
    } catch {
      return false;
    }
  });
}

/** Interrupts a command after a time, or when its children run; returns the processes that are left, and throws if it does not end. */
async function interrupted(argv: readonly string[], signal: NodeJS.Signals, afterMs: number | undefined): Promise<string[]> {
  const mark = randomUUID();
  const env = {
    ...{ HOME: folder, TMPDIR: path.join(folder, 'tmp'), PATH: `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
    ...{ MARK: mark, WEBHOOK_CLI_NO_CODE_CACHE: '1' },
  };
  const run = spawn(process.execPath, [path.join(root, 'bin/run.js'), ...argv], { cwd: folder, env, stdio: 'ignore', detached: true });
  const ended = once(run, 'exit');
  if (afterMs === undefined) await expect.poll(() => processesWith(mark).length, { timeout: 30_000 }).toBeGreaterThan(3);
  else await Promise.race([setTimeout(afterMs), ended]);
  run.kill(signal);
  const patience = new AbortController();
  const late = setTimeout(latestEndMs, 'late', { signal: patience.signal }).catch(() => undefined);
  if ((await Promise.race([ended, late])) === 'late') {
    run.kill('SIGKILL');
    throw new Error(`still runs ${latestEndMs} ms after ${signal}`);
  }
  patience.abort();
  // What has got a signal needs a moment to end.
  for (let i = 0; i < 500 && processesWith(mark).length > 0; i += 1) await setTimeout(20);
  const left = processesWith(mark);
  for (const pid of left) process.kill(Number(pid), 'SIGKILL');
  return left;
}

describe.skipIf(process.platform !== 'linux')('a signal to this process alone', { timeout: 60_000 * runs }, () => {
  it.each(commands)('at any time leaves nothing of %s', async (_, argv) => {
    for (let i = 0; i < runs; i += 1) {
      const signal = signals[i % signals.length] ?? 'SIGTERM';
      const afterMs = i === 0 ? undefined : Math.round(Math.random() * latestMs);
      expect({ signal, afterMs, left: await interrupted(argv, signal, afterMs) }).toEqual({ signal, afterMs, left: [] });
    }
  });
});
