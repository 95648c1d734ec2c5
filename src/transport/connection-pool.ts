import type { HttpConnection } from './http-connection.js';

/** Connections that wait for their next request, by what they may be used for. */
export interface ConnectionPool {
  /** The one that waits the shortest time and still lives. */
  take(key: string): HttpConnection | undefined;
  /** Keeps a connection that has nothing left to read. */
  put(key: string, connection: HttpConnection): void;
  close(): void;
}

/** Source for the figures: client-go transport cache, 25 idle connections a host, 90 s. */
export function createConnectionPool(): ConnectionPool {
  const idle = new Map<string, HttpConnection[]>();
  // Starting one again takes less than making one for every call: a timer goes on while its connection is in use.
  const timers = new WeakMap<HttpConnection, NodeJS.Timeout>();
  let closed = false;

  return {
    take(key) {
      const waiting = idle.get(key) ?? [];
      for (;;) {
        const http = waiting.pop();
        if (http === undefined) return undefined;
        if (http.isQuiet()) {
          http.hold(true);
          return http;
        }
        drop(http);
      }
    },
    put(key, http) {
      const waiting = idle.get(key) ?? [];
      if (closed || waiting.length >= mostIdle || !http.isQuiet()) return drop(http);
      idle.set(key, waiting);
      http.hold(false);
      waiting.push(http);
      timers.set(http, timers.get(http)?.refresh() ?? setTimeout(() => expire(waiting, http), idleTimeoutMs).unref());
    },
    close() {
      closed = true;
      for (const waiting of idle.values()) for (const http of waiting.splice(0)) drop(http);
    },
  };

  function expire(waiting: HttpConnection[], http: HttpConnection): void {
    const at = waiting.indexOf(http);
    if (at < 0) return;
    waiting.splice(at, 1);
    drop(http);
  }

  function drop(http: HttpConnection): void {
    clearTimeout(timers.get(http));
    http.destroy();
  }
}

const mostIdle = 25;
const idleTimeoutMs = 90_000;
