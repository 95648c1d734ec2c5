import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTestReport } from '../../../src/reports/suites/read-json.js';
import { root } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let remove: () => void;

beforeEach(() => {
  const pod = (name: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: shop}\nspec: {containers: [{name: c, image: "nginx:1.27"}]}\n`;
  ({ folder, remove } = temporaryFolder({ 'pods/a.yaml': pod('a'), 'pods/b.yaml': pod('b'), 'pods/c.yaml': pod('c') }));
});
afterEach(() => remove());

describe('a run that is interrupted', { timeout: 60_000 }, () => {
  it.each([
    ['SIGINT', 130, []],
    ['SIGTERM', 143, []],
    ['SIGINT', 130, ['--jobs=2', '--concurrency=2']],
  ] as const)('by %s with calls in flight leaves reports that say so, and nothing half written', async (signal, expected, more) => {
    // A webhook that accepts connections and never responds.
    const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reporters = [
      '--reporter=json=out/run.json',
      '--reporter=junit=out/run.xml',
      '--reporter=html=out/run.html',
      '--reporter=default',
    ];
    const argv = [
      path.join(root, 'bin/run.js'),
      'test',
      'pods',
      '--url',
      `https://127.0.0.1:${port}/`,
      '--timeout=30s',
      ...more,
      ...reporters,
    ];
    const child = spawn(process.execPath, argv, { cwd: folder, env: { ...process.env, HOME: folder, XDG_CACHE_HOME: folder } });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    server.once('connection', () => child.kill(signal));
    const [exitCode] = await once(child, 'close');
    server.close();
    expect(exitCode).toBe(expected);
    expect(stdout).toContain('the run was interrupted: cases that did not run are skipped');
    expect(readTestReport(readFileSync(path.join(folder, 'out/run.json'), 'utf8'))).toMatchObject({
      outcome: 'read',
      run: { complete: false, suites: [{ cases: [{ outcome: 'skipped' }, { outcome: 'skipped' }, { outcome: 'skipped' }] }] },
    });
    expect(readdirSync(path.join(folder, 'out')).sort()).toEqual(['run.html', 'run.json', 'run.xml']);
    expect(readdirSync(path.join(folder, 'pods')).sort()).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
  });

  it('also handles signals while the process under test is not ready', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // It prints that it runs, but never listens on its port.
    const program = `require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1'); setInterval(() => {}, 1000);`;
    const suite = {
      ...{ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Suite', url: `https://127.0.0.1:\${PORT}/` },
      exec: [process.execPath, '-e', program],
      cases: [{ name: 'a', filename: 'pods/a.yaml' }],
    };
    writeFileSync(path.join(folder, 's.webhook-test.json'), JSON.stringify(suite));
    const argv = [path.join(root, 'bin/run.js'), 'test', 's.webhook-test.json', '--reporter=json=run.json'];
    const child = spawn(process.execPath, argv, {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_CACHE_HOME: folder },
    });
    const left = new Promise<void>(resolve => {
      server.once('connection', socket => {
        socket.on('error', () => {}).on('close', () => resolve());
        child.kill('SIGINT');
      });
    });
    const [exitCode] = await once(child, 'close');
    await left;
    server.close();
    expect(exitCode).toBe(130);
    expect(readTestReport(readFileSync(path.join(folder, 'run.json'), 'utf8'))).toMatchObject({ run: { complete: false } });
  });
});
