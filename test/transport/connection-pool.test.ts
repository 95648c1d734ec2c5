import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnectionPool } from '../../src/transport/connection-pool.js';
import type { HttpConnection } from '../../src/transport/http-connection.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection that records the calls of its methods. */
function connection(): HttpConnection & { quiet: boolean; readonly destroyed: () => boolean; readonly held: () => boolean } {
  let destroyed = false;
  let held = true;
  return {
    quiet: true,
    deprecations: [],
    roundTrip: () => Promise.reject(new Error('nothing is sent')),
    isQuiet() {
      return this.quiet;
    },
    hold: value => {
      held = value;
    },
    destroy: () => {
      destroyed = true;
    },
    destroyed: () => destroyed,
    held: () => held,
  };
}

describe('a pool of connections', () => {
  it('returns the most recently used connection, and does not keep the process alive for idle ones', () => {
    const pool = createConnectionPool();
    const [first, second] = [connection(), connection()];
    pool.put('key', first);
    pool.put('key', second);
    expect([first.held(), second.held()]).toEqual([false, false]);
    expect(pool.take('key')).toBe(second);
    expect(second.held()).toBe(true);
    expect(pool.take('other')).toBeUndefined();
    expect(pool.take('key')).toBe(first);
    expect(pool.take('key')).toBeUndefined();
  });

  it('skips a connection with unread bytes', () => {
    const pool = createConnectionPool();
    const [first, second] = [connection(), connection()];
    pool.put('key', first);
    pool.put('key', second);
    second.quiet = false;
    expect(pool.take('key')).toBe(first);
    expect(second.destroyed()).toBe(true);
  });

  it('closes a connection 90 s after its last use', () => {
    const pool = createConnectionPool();
    const used = connection();
    pool.put('key', used);
    vi.advanceTimersByTime(60_000);
    expect(pool.take('key')).toBe(used);
    vi.advanceTimersByTime(60_000);
    expect(used.destroyed()).toBe(false);
    pool.put('key', used);
    vi.advanceTimersByTime(89_999);
    expect(used.destroyed()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(used.destroyed()).toBe(true);
    expect(pool.take('key')).toBeUndefined();
  });

  it('does not use a connection again that was idle for longer than its limit', () => {
    const pool = createConnectionPool(500);
    const [old, used] = [connection(), connection()];
    pool.put('key', old);
    vi.advanceTimersByTime(501);
    expect(pool.take('key')).toBeUndefined();
    expect(old.destroyed()).toBe(true);
    pool.put('key', used);
    expect(pool.take('key')).toBe(used);
  });

  it('keeps 25 connections for a key, and none after it was closed', () => {
    const pool = createConnectionPool();
    const all = Array.from({ length: 26 }, connection);
    for (const each of all) pool.put('key', each);
    expect(all.map(each => each.destroyed())).toEqual([...Array.from({ length: 25 }, () => false), true]);
    const used = pool.take('key');
    pool.close();
    expect(all.filter(each => !each.destroyed())).toEqual([used]);
    expect(vi.getTimerCount()).toBe(1);
    if (used !== undefined) pool.put('key', used);
    expect(all.every(each => each.destroyed())).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
