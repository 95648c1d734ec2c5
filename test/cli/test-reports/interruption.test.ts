import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
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
  ({ folder, remove } = temporaryFolder({ 'pods/a.yaml': pod('a'), 'pods/b.yaml': pod('b') }));
});
afterEach(() => remove());

describe('a run that is interrupted', { timeout: 60_000 }, () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves reports that say so, and nothing half written', async (signal, expected) => {
    // A webhook that takes the connection and says nothing.
    const server = createServer(socket => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reporters = [
      '--reporter=json=out/run.json',
      '--reporter=junit=out/run.xml',
      '--reporter=html=out/run.html',
      '--reporter=default',
    ];
    const argv = [path.join(root, 'bin/run.js'), 'test', 'pods', '--url', `https://127.0.0.1:${port}/`, '--timeout=30s', ...reporters];
    const child = spawn(process.execPath, argv, { cwd: folder, env: { ...process.env, HOME: folder, XDG_CACHE_HOME: folder } });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    server.once('connection', () => child.kill(signal));
    const [exitCode] = await once(child, 'close');
    server.close();
    expect(exitCode).toBe(expected);
    expect(stdout).toContain('the run was interrupted: cases that never ran are skipped');
    expect(readTestReport(readFileSync(path.join(folder, 'out/run.json'), 'utf8'))).toMatchObject({
      outcome: 'read',
      run: { complete: false, suites: [{ cases: [{ outcome: 'skipped' }, { outcome: 'skipped' }] }] },
    });
    expect(readdirSync(path.join(folder, 'out')).sort()).toEqual(['run.html', 'run.json', 'run.xml']);
    expect(readdirSync(path.join(folder, 'pods')).sort()).toEqual(['a.yaml', 'b.yaml']);
  });
});
