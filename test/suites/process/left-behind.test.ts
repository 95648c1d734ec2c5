import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasEnded, ownIdentity } from '../../../src/processes/owner.js';
import { isAlive } from '../../support/is-alive.js';
import { root } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const program = [path.join(root, 'bin/run.js'), 'test', 'suite.webhook-test.yaml'];
/** Never listens, and says where it runs. */
const webhook = "require('node:fs').writeFileSync('started', process.pid + ' ' + process.argv[1]); setInterval(() => {}, 1000);";
const suite = `apiVersion: webhook-cli.dev/v1alpha1
kind: Suite
exec: {command: [node, -e, ${JSON.stringify(webhook)}, "\${CERTS}", "\${PORT}"], ready-timeout: 20s}
url: https://127.0.0.1:\${PORT}
cases: [{name: pod, filename: pod.yaml, expect: {allowed: true}}]
`;

let folder: string;
let remove: () => void;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  ({ folder, remove } = temporaryFolder({ 'suite.webhook-test.yaml': suite, 'pod.yaml': 'apiVersion: v1\nkind: Pod\n', 'tmp/.keep': '' }));
  // Killing a run would spoil the code cache of other tests.
  env = { ...process.env, TMPDIR: path.join(folder, 'tmp'), WEBHOOK_CLI_NO_CODE_CACHE: '1' };
});
afterEach(() => remove());

/** Waits until the webhook runs as another process than before; returns its process id and certificate folder. */
function started(before?: number): Promise<readonly [number, string]> {
  return new Promise(resolve => {
    const look = (): void => {
      const [pid = '', certificates = ''] = existsSync(path.join(folder, 'started'))
        ? readFileSync(path.join(folder, 'started'), 'utf8').split(' ')
        : [];
      if (certificates === '' || Number(pid) === before) return;
      watcher.close();
      resolve([Number(pid), certificates]);
    };
    const watcher = watch(folder, look);
    look();
  });
}

describe.runIf(process.platform === 'linux')('a run that was killed', () => {
  it('leaves a process and certificates, which the next run removes', async () => {
    const killed = spawn(process.execPath, program, { cwd: folder, env, stdio: 'ignore' });
    const [pid, certificates] = await started();
    const ended = new Promise(resolve => killed.once('exit', resolve));
    killed.kill('SIGKILL');
    await ended;
    expect([isAlive(pid), existsSync(path.join(certificates, 'tls.key'))]).toEqual([true, true]);

    const next = spawn(process.execPath, program, { cwd: folder, env, stdio: 'ignore' });
    const nextEnded = new Promise(resolve => next.once('exit', resolve));
    await started(pid);
    next.kill('SIGTERM');
    await nextEnded;
    expect([isAlive(pid), readdirSync(path.join(folder, 'tmp'))]).toEqual([false, ['.keep']]);
  });

  it('leaves a kubeconfig of apiserver, which the next one removes, and no other folder', async () => {
    mkdirSync(path.join(folder, 'tmp', 'webhook-cli-kubeconfig-mine'));
    const apiserver = (): ChildProcess =>
      spawn(process.execPath, [path.join(root, 'bin/run.js'), 'apiserver'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ready = (child: ChildProcess): Promise<unknown> => new Promise(resolve => child.stdout?.once('data', resolve));
    const end = (child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
      const ended = new Promise(resolve => child.once('exit', resolve));
      child.kill(signal);
      return ended;
    };
    const kept = (): string[] =>
      readdirSync(path.join(folder, 'tmp')).filter(name => !['.keep', 'webhook-cli-kubeconfig-mine'].includes(name));
    const killed = apiserver();
    await ready(killed);
    await end(killed, 'SIGKILL');
    const [left = ''] = kept();
    expect(readFileSync(path.join(folder, 'tmp', left, 'kubeconfig'), 'utf8')).toContain('token: ');
    const next = apiserver();
    await ready(next);
    expect(kept().filter(name => name === left)).toEqual([]);
    await end(next, 'SIGTERM');
    expect([kept(), existsSync(path.join(folder, 'tmp', 'webhook-cli-kubeconfig-mine'))]).toEqual([[], true]);
  });
});

describe('the identity of a process', () => {
  it('is that of a process that runs', () => {
    expect(hasEnded(ownIdentity())).toBe(false);
  });

  it('tells an ended process, and one with a used process id', () => {
    const [namespace, pid, started] = ownIdentity().split('-');
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    expect(hasEnded(`${namespace}-${gone}-1`)).toBe(true);
    if (process.platform === 'linux') expect(hasEnded(`${namespace}-${pid}-${Number(started) - 1}`)).toBe(true);
  });

  it('says nothing of a process of another container', () => {
    expect(hasEnded(ownIdentity().replace(/^[^-]+/, 'other'))).toBe(false);
  });
});
