import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';

/** The real program: what only a process can show. */
const program = path.join(root, 'bin/run.js');

function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ stdout: string; stderr: string; exitCode: unknown }> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [program, ...argv],
      { cwd: root, env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        resolve({ stdout, stderr, exitCode: error === null ? 0 : error.code });
      },
    );
    child.stdin?.end();
  });
}

describe('the program', { timeout: 20_000 }, () => {
  it('says its version, and what commands there are', async () => {
    const [version, help, none] = await Promise.all([run(['--version']), run(['--help']), run([])]);
    expect([version.exitCode, version.stdout]).toEqual([0, expect.stringMatching(/^webhook-cli\/\d+\.\d+\.\d+ \S+ node-v\d+/)]);
    expect([help.exitCode, none.stdout]).toEqual([0, help.stdout]);
    expect(help.stdout).toMatch(/COMMANDS\n[\s\S]*\n {2}review +Send what/);
  });

  it('knows no other commands', async () => {
    expect(await run(['reveiw'])).toEqual({ stdout: '', stderr: 'error: unknown command "reveiw"; did you mean "review"?\n', exitCode: 2 });
    expect(await run(['reveiw', '-o', 'json'])).toEqual({
      stdout: expect.stringMatching(/^\{\n[\s\S]*"code": "usage"/),
      stderr: '',
      exitCode: 2,
    });
    expect(await run(['help', 'nothing'])).toEqual({
      stdout: '',
      stderr: 'error: unknown command "nothing"; see webhook-cli --help\n',
      exitCode: 2,
    });
  });

  it('prints without colour into a pipe', async () => {
    const { stdout } = await run(['review', '--demo', '-f', 'fixtures/manifests/pod-sidecar.yaml'], { CI: 'true' });
    expect(stdout).not.toContain('\u001b');
  });

  it('stops printing for a reader that went away, and exits with the decision', async () => {
    const child = spawn(process.execPath, [program, 'review', '--demo', '-f', 'fixtures/manifests/pod-privileged.yaml'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr += chunk;
    });
    const exitCode = await new Promise(resolve => child.on('close', resolve));
    expect([exitCode, stderr]).toEqual([1, '']);
  });

  it.skipIf(process.platform !== 'linux')('says when there is no room for what it prints', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [program, '--version'], { cwd: root, stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let stderr = '';
    child.stderr?.on('data', chunk => {
      stderr += chunk;
    });
    const exitCode = await new Promise(resolve => child.on('close', resolve));
    expect([exitCode, stderr]).toEqual([6, 'error: stdout: no space left on device\n']);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends a server on %s with %i', async (signal, expected) => {
    const child = spawn(process.execPath, [program, 'serve', '--port', '0'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise(resolve => child.stderr.once('data', resolve));
    child.kill(signal);
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(expected);
  });
});
