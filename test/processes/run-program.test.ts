import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/processes/run-program.js';

const node = (code: string, limits: { readonly maxOutputBytes?: number; readonly timeoutMs?: number }) =>
  runProgram({ command: [process.execPath, '-e', code], cwd: '.', maxOutputBytes: 1000, ...limits });
const forever = 'setInterval(() => {}, 1000)';

describe('a program', () => {
  it('may print as much as the limit, and no more', async () => {
    const within = await node('process.stdout.write("a".repeat(1000))', {});
    expect(within.outcome === 'exited' && within.stdout.length).toBe(1000);
    expect(await node(`process.stdout.write("a".repeat(1001)); ${forever}`, {})).toEqual({ outcome: 'too-much-output' });
  });

  it('is ended when it takes too long, also if it ignores SIGTERM', async () => {
    const pid = 'process.on("SIGTERM", () => {}); process.stderr.write(String(process.pid));';
    let printed = '';
    const end = await runProgram({
      ...{ command: [process.execPath, '-e', pid + forever], cwd: '.', maxOutputBytes: 1000, timeoutMs: 1500 },
      onStderr: text => {
        printed += text;
      },
    });
    expect([end, printed]).toEqual([{ outcome: 'timeout' }, expect.stringMatching(/^\d+$/)]);
    await expect.poll(() => isRunning(Number(printed)), { timeout: 5000 }).toBe(false);
  });

  it('has the last 64 KiB of its errors in the result', async () => {
    const end = await node('process.stderr.write("first" + "a".repeat(100_000) + "last")', {});
    expect(end.outcome === 'exited' && [end.stderr.length, end.stderr.slice(0, 5), end.stderr.slice(-4)]).toEqual([
      65_536,
      'aaaaa',
      'last',
    ]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
