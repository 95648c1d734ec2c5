import { expect, it } from 'vitest';
import { type Backlog, type EventQueue, newBacklog, newEventQueue } from '../../src/local-apiserver/http/event-queue.js';

/** A queue, what its connection has got, and a function that tells that it is sent. */
function queueOf(backlog: Backlog): { readonly queue: EventQueue; readonly got: string[]; readonly sent: () => void } {
  const got: string[] = [];
  const callbacks: (() => void)[] = [];
  const queue = newEventQueue((frames, written) => {
    got.push(frames.join(''));
    callbacks.push(written);
  }, backlog);
  return { queue, got, sent: () => callbacks.shift()?.() };
}

it('passes events on in order, the next ones when those before are sent, and finishes after the last', () => {
  const { queue, got, sent } = queueOf(newBacklog());
  for (const frames of [['a', 'b'], ['c'], ['d']]) expect(queue.send(frames)).toBe(true);
  queue.finish(() => got.push('end'));
  expect(got).toEqual(['ab']);
  sent();
  expect(got).toEqual(['ab', 'c']);
  sent();
  sent();
  expect(got).toEqual(['ab', 'c', 'd', 'end']);
});

it('refuses more than waits for all clients, and counts once what several watches wait for', () => {
  const backlog = newBacklog(100);
  const [first, second, third] = [queueOf(backlog), queueOf(backlog), queueOf(backlog)];
  for (const { queue } of [first, second, third]) queue.send(['start']);
  const shared = ['x'.repeat(80)];
  for (const { queue } of [first, second]) expect(queue.send(shared)).toBe(true);
  expect(third.queue.send(['y'.repeat(80)])).toBe(false);
  third.queue.clear();
  first.sent();
  expect(backlog.isFull()).toBe(false);
  expect(third.queue.send(['y'.repeat(80)])).toBe(false);
  third.queue.clear();
  second.queue.clear();
  expect(third.queue.send(['y'.repeat(80)])).toBe(true);
});

it('refuses more than 16 MiB for one client', () => {
  const { queue } = queueOf(newBacklog());
  const frames = [Buffer.alloc(1024 * 1024)];
  expect(Array.from({ length: 18 }, () => queue.send(frames))).toEqual([...Array.from({ length: 17 }, () => true), false]);
});
