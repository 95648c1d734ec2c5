import { monotonicMs } from './clock.js';
import { type ConnectionsInUse, recordConnectionsInUse } from './connections-in-use.js';
import type { HttpConnection } from './http-connection.js';

/** Connections by key. */
export interface ConnectionPool extends Pick<ConnectionsInUse, 'open' | 'opening'> {
  /** Takes the connection that has been idle for the shortest time and is still open, or shares one that is in use. */
  take(key: string): HttpConnection | undefined;
  /** Keeps a connection without unread bytes. */
  put(key: string, connection: HttpConnection): void;
  /** Closes a connection that is in use. */
  drop(key: string, connection: HttpConnection): void;
  close(): void;
}

/**
 * Creates a pool with the limits of client-go's transport cache: 25 idle connections for each host, 90 s. A connection that was idle for more than
 * `maxIdleMs` is not used again: its server may be closing it.
 */
export function createConnectionPool(maxIdleMs = idleTimeoutMs): ConnectionPool {
  const idle = new Map<string, HttpConnection[]>();
  // Restarting a timer is cheaper than creating one for every call: it runs on while its connection is in use.
  const timers = new WeakMap<HttpConnection, NodeJS.Timeout>();
  const since = new WeakMap<HttpConnection, number>();
  const inUse = recordConnectionsInUse();
  let closed = false;

  return {
    take(key) {
      const waiting = idle.get(key) ?? [];
      for (;;) {
        const http = waiting.pop();
        if (http === undefined) return inUse.join(key);
        if (http.isQuiet() && monotonicMs() - (since.get(http) ?? 0) <= maxIdleMs) {
          http.hold(true);
          return inUse.begin(key, http);
        }
        discard(http);
      }
    },
    open: inUse.open,
    opening: inUse.opening,
    drop(key, http) {
      inUse.end(key, http);
      discard(http);
    },
    put(key, http) {
      inUse.end(key, http);
      if (http.shared?.leave() === true) return;
      const waiting = idle.get(key) ?? [];
      if (closed || waiting.length >= maxIdle || !http.isQuiet()) return discard(http);
      idle.set(key, waiting);
      http.hold(false);
      waiting.push(http);
      since.set(http, monotonicMs());
      timers.set(http, timers.get(http)?.refresh() ?? setTimeout(() => expire(waiting, http), idleTimeoutMs).unref());
    },
    close() {
      closed = true;
      for (const waiting of idle.values()) for (const http of waiting.splice(0)) discard(http);
    },
  };

  function expire(waiting: HttpConnection[], http: HttpConnection): void {
    const at = waiting.indexOf(http);
    if (at < 0) return;
    waiting.splice(at, 1);
    discard(http);
  }

  function discard(http: HttpConnection): void {
    clearTimeout(timers.get(http));
    http.destroy();
  }
}

const maxIdle = 25;
/** Time for which client-go keeps an idle connection. */
export const idleTimeoutMs = 90_000;
