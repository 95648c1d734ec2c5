import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { monotonicMs } from '../../src/transport/clock.js';
import { awaitBeforeDeadline, type Deadline, startDeadline } from '../../src/transport/deadline.js';
import { block } from '../support/block.js';

function connectedDeadline(milliseconds: number): Deadline {
  const deadline = startDeadline(milliseconds);
  deadline.connected();
  return deadline;
}

describe('a deadline', () => {
  it('lets data be read that arrived in time while the event loop was blocked', async () => {
    const deadline = connectedDeadline(20);
    const { port1, port2 } = new MessageChannel();
    const arrived = once(port2, 'message');
    port1.postMessage('sent');
    block(60);
    await expect(awaitBeforeDeadline(arrived, deadline)).resolves.toEqual(['sent']);
    deadline.stop();
    port1.close();
  });

  it('expires after the event loop was blocked if nothing arrived', async () => {
    const deadline = connectedDeadline(20);
    block(60);
    await expect(awaitBeforeDeadline(new Promise(() => undefined), deadline)).rejects.toThrow('context deadline exceeded');
    expect(deadline.isOver()).toBe(true);
  });

  it('does not expire after it is stopped while it is late', async () => {
    const deadline = connectedDeadline(20);
    let calls = 0;
    deadline.onOver(() => {
      calls += 1;
    });
    block(60);
    setImmediate(() => deadline.stop());
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(calls).toBe(0);
  });

  it('does not count the time before the connection in which the event loop was blocked', async () => {
    const deadline = startDeadline(50);
    block(200);
    await new Promise(resolve => setImmediate(resolve));
    deadline.connected();
    expect(deadline.isOver()).toBe(false);
    expect(deadline.remainingMs()).toBeGreaterThan(0);
    await expect(awaitBeforeDeadline(new Promise(() => undefined), deadline)).rejects.toThrow('context deadline exceeded');
  });

  it('expires while nothing connects', async () => {
    const start = monotonicMs();
    await expect(awaitBeforeDeadline(new Promise(() => undefined), startDeadline(30))).rejects.toThrow('context deadline exceeded');
    expect(monotonicMs() - start).toBeGreaterThanOrEqual(30);
  });
});
