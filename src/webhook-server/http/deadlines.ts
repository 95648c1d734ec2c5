import type { Duplex } from 'node:stream';

/** Destroys connections after a timeout. One timer serves all of them. */
export interface ConnectionDeadlines {
  /** Destroys a connection after some milliseconds, to within half a second, unless it is set again or deleted. */
  set(socket: Duplex, ms: number): void;
  delete(socket: Duplex): void;
  stop(): void;
}

const tickMs = 500;

/** Starts the timer, which does not keep the process alive. */
export function startDeadlines(): ConnectionDeadlines {
  const ends = new Map<Duplex, number>();
  const timer = setInterval(() => {
    const now = monotonicMs();
    for (const [socket, end] of ends) {
      if (end > now) continue;
      ends.delete(socket);
      socket.destroy();
    }
  }, tickMs);
  timer.unref();
  return {
    set: (socket, ms) => ends.set(socket, monotonicMs() + ms),
    delete: socket => ends.delete(socket),
    stop: () => clearInterval(timer),
  };
}

/** `performance` has such a clock, too, but takes milliseconds to load. */
function monotonicMs(): number {
  return process.uptime() * 1000;
}
