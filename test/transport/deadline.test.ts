import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { monotonicMs } from '../../src/transport/clock.js';
import { beforeDeadline, startDeadline } from '../../src/transport/deadline.js';

/** Blocks the event loop, as a busy process or machine does. */
function block(milliseconds: number): void {
  const end = monotonicMs() + milliseconds;
  while (monotonicMs() < end);
}

describe('a deadline', () => {
  it('lets data be read that arrived in time while the event loop was blocked', async () => {
    const deadline = startDeadline(20);
    const arrived = promisify(deflate)('x').then(() => 'read');
    block(200);
    await expect(beforeDeadline(arrived, deadline)).resolves.toBe('read');
    deadline.stop();
  });

  it('expires after the event loop was blocked if nothing arrived', async () => {
    const deadline = startDeadline(20);
    block(60);
    await expect(beforeDeadline(new Promise(() => undefined), deadline)).rejects.toThrow('context deadline exceeded');
    expect(deadline.isOver()).toBe(true);
  });

  it('does not expire after it is stopped while it is late', async () => {
    const deadline = startDeadline(20);
    let calls = 0;
    deadline.onOver(() => {
      calls += 1;
    });
    block(60);
    setImmediate(() => deadline.stop());
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(calls).toBe(0);
  });
});
