import type { HttpConnection } from './http-connection.js';

/** Connections that calls share while they use them, by key. */
export interface ConnectionsInUse {
  /** Returns another use of a connection; undefined when there is none to share. */
  join(key: string): HttpConnection | undefined;
  /** Records that a call uses a connection, and returns it. */
  begin(key: string, connection: HttpConnection): HttpConnection;
  end(key: string, connection: HttpConnection): void;
  /** Opens a connection, which is in use then. */
  open(key: string, connecting: () => Promise<HttpConnection>): Promise<HttpConnection>;
  /** Resolves when the first connection that is being opened is there, or failed; undefined where nobody has to wait for it. */
  opening(key: string): Promise<void> | undefined;
}

/** Returns a record without connections. */
export function recordConnectionsInUse(): ConnectionsInUse {
  const inUse = new Map<string, Set<HttpConnection>>();
  const openings = new Map<string, Promise<void>>();
  /** Keys of servers that take one request at a time. */
  const unshared = new Set<string>();

  const begin = (key: string, http: HttpConnection): HttpConnection => {
    if (http.shared === undefined) unshared.add(key);
    else inUse.set(key, (inUse.get(key) ?? new Set()).add(http));
    return http;
  };
  return {
    begin,
    join(key) {
      for (const http of inUse.get(key) ?? []) {
        const other = http.shared?.join();
        if (other !== undefined) return begin(key, { ...other, deprecations: http.deprecations });
      }
      return undefined;
    },
    end(key, http) {
      const used = inUse.get(key);
      if (used?.delete(http) === true && used.size === 0) inUse.delete(key);
    },
    open(key, connecting) {
      const opened = connecting().then(http => begin(key, http));
      if (!openings.has(key)) {
        const forget = (): void => void openings.delete(key);
        openings.set(key, opened.then(forget, forget));
      }
      return opened;
    },
    opening: key => (unshared.has(key) ? undefined : openings.get(key)),
  };
}
