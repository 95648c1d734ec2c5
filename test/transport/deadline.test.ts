import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
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
    const { port1, port2 } = new MessageChannel();
    const arrived = once(port2, 'message');
    port1.postMessage('sent');
    block(60);
    await expect(beforeDeadline(arrived, deadline)).resolves.toEqual(['sent']);
    deadline.stop();
    port1.close();
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
