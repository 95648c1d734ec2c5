import type { ServerHttp2Session } from 'node:http2';

/** After `idleMs` without a frame, a client is asked whether it is there; it answers in `answerMs`. */
const patience = { idleMs: 30_000, answerMs: 15_000 };

/** A client is asked at most a quarter of `idleMs` too late. */
const looksWhileIdle = 4;

/**
 * Calls `end` when a session is over or its client does not answer a ping. After errors in frames Node neither closes the connection nor sees that its client is gone: each would
 * keep a descriptor. The bytes of the connection are looked at from time to time: Node's own timeout is started again for every frame, a hundredth of the time of a creation.
 */
export function endDeadSession(session: ServerHttp2Session, end: () => void, { idleMs, answerMs } = patience): void {
  let bytes = -1;
  let looks = 0;
  const look = (): void => {
    if (session.destroyed) {
      finish();
      return;
    }
    const { bytesRead, bytesWritten } = session.socket;
    if (bytesRead + bytesWritten === bytes) looks += 1;
    else [bytes, looks] = [bytesRead + bytesWritten, 0];
    if (looks < looksWhileIdle) return;
    looks = 0;
    const overdue = setTimeout(finish, answerMs);
    session.ping(error => {
      clearTimeout(overdue);
      if (error !== null) finish();
    });
  };
  const timer = setInterval(look, idleMs / looksWhileIdle);
  timer.unref();
  const finish = (): void => {
    clearInterval(timer);
    end();
  };
  session.on('close', finish);
}
