import type { ServerHttp2Session } from 'node:http2';

/** After `idleMs` without a frame, a client is asked whether it is there; it answers in `answerMs`. */
const patience = { idleMs: 30_000, answerMs: 15_000 };

/**
 * Calls `end` when a session is over or its client does not answer a ping. After errors in frames Node neither closes the connection nor sees that its client is gone: each would
 * keep a descriptor.
 */
export function endDeadSession(session: ServerHttp2Session, end: () => void, { idleMs, answerMs } = patience): void {
  session.on('close', end);
  session.setTimeout(idleMs);
  session.on('timeout', () => {
    if (session.destroyed) return end();
    const overdue = setTimeout(end, answerMs);
    const settle = (error: Error | null): void => {
      clearTimeout(overdue);
      // The answer does not start Node's timer again.
      if (error === null) session.setTimeout(idleMs);
      else end();
    };
    session.ping(settle);
  });
}
