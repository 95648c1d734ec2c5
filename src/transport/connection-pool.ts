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
  const idle = new Map<string, Idle[]>();
  let closed = false;

  return {
    take(key) {
      const waiting = idle.get(key) ?? [];
      for (;;) {
        const last = waiting.pop();
        if (last === undefined) return undefined;
        clearTimeout(last.timer);
        if (last.http.isQuiet()) {
          last.http.hold(true);
          return last.http;
        }
        last.http.destroy();
      }
    },
    put(key, http) {
      const waiting = idle.get(key) ?? [];
      if (closed || waiting.length >= mostIdle || !http.isQuiet()) return http.destroy();
      idle.set(key, waiting);
      http.hold(false);
      const entry: Idle = { http, timer: setTimeout(() => drop(waiting, entry), idleTimeoutMs).unref() };
      waiting.push(entry);
    },
    close() {
      closed = true;
      for (const waiting of idle.values()) for (const entry of [...waiting]) drop(waiting, entry);
    },
  };
}

const mostIdle = 25;
const idleTimeoutMs = 90_000;

interface Idle {
  readonly http: HttpConnection;
  readonly timer: NodeJS.Timeout;
}

function drop(waiting: Idle[], entry: Idle): void {
  const at = waiting.indexOf(entry);
  if (at >= 0) waiting.splice(at, 1);
  clearTimeout(entry.timer);
  entry.http.destroy();
}
