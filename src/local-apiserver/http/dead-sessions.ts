import type { ServerHttp2Session } from 'node:http2';

/** After this time without a frame, a client is asked whether it is there. */
const idleMs = 30_000;
const answerMs = 15_000;

/**
 * Calls `end` when a session is over or its client does not answer a ping. After errors in frames Node neither closes the connection nor sees that its client is gone: each would
 * keep a descriptor.
 */
export function endDeadSession(session: ServerHttp2Session, end: () => void): void {
  session.on('close', end);
  session.setTimeout(idleMs, () => {
    const patience = setTimeout(end, answerMs);
    const settle = (error: Error | null): void => {
      clearTimeout(patience);
      if (error !== null) end();
    };
    if (session.destroyed) return end();
    session.ping(settle);
  });
}
