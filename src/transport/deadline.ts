import { monotonicMs } from './clock.js';
import { undelayedMs, watchDelays } from './delays.js';
import { deadlineExceeded, type TransportError } from './transport-error.js';

/** Deadline of one call, including all its stages, redirects and attempts. */
export interface Deadline {
  /** Returns the milliseconds left; 0 after the deadline. */
  remainingMs(): number;
  isOver(): boolean;
  /** Calls `react` when the deadline passes, immediately if it has passed. Returns a function that unsubscribes. */
  onOver(react: (reason: TransportError) => void): () => void;
  /**
   * Call when the connection is ready for the request. Time that this process spent on loading and preparing until then does not count,
   * because the API server does neither for a call.
   */
  connected(): void;
  /** Waits for work that the API server does not do for a call; its time does not count. */
  exclude<T>(work: Promise<T>): Promise<T>;
  /** Stops the timer; no more callbacks. */
  stop(): void;
}

/** A timer that fires later than this was delayed by the load of the process or of the machine. */
const lateMs = 5;

/** Turns of the event loop in which a delayed deadline lets data be read that arrived in time: timers fire before sockets are read. */
const lateTurns = 4;

/** Starts a deadline on the clock without delays. */
export function startDeadline(milliseconds: number): Deadline {
  let end = undelayedMs() + milliseconds;
  const endWatch = watchDelays();
  const waiting = new Set<(reason: TransportError) => void>();
  let over = milliseconds <= 0;
  let turn: NodeJS.Immediate | undefined;
  let stopTimer = over ? undefined : timerFor(milliseconds);

  function timerFor(left: number): () => void {
    const due = monotonicMs() + left;
    return startTimer(() => {
      const isLate = monotonicMs() - due > lateMs;
      const more = end - undelayedMs();
      if (more > 0) stopTimer = timerFor(more);
      else expireAfter(isLate ? lateTurns : 0);
    }, left);
  }

  function expireAfter(turns: number): void {
    if (turns === 0) expire();
    else turn = setImmediate(() => expireAfter(turns - 1));
  }

  function expire(): void {
    over = true;
    endWatch();
    const reason = deadlineExceeded();
    for (const react of [...waiting]) react(reason);
    waiting.clear();
  }

  return {
    remainingMs: () => (over ? 0 : Math.max(0, end - undelayedMs())),
    isOver: () => over,
    onOver(react) {
      if (over) {
        react(deadlineExceeded());
        return () => undefined;
      }
      waiting.add(react);
      return () => waiting.delete(react);
    },
    connected: endWatch,
    async exclude(work) {
      const started = undelayedMs();
      stopTimer?.();
      clearImmediate(turn);
      try {
        return await work;
      } finally {
        end += undelayedMs() - started;
        if (!over) stopTimer = timerFor(Math.max(0, end - undelayedMs()));
      }
    },
    stop() {
      stopTimer?.();
      clearImmediate(turn);
      endWatch();
      waiting.clear();
    },
  };
}

/** Waits for a promise; fails with the deadline's error if that comes first. */
export function awaitBeforeDeadline<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = deadline.onOver(reject);
    work.then(
      value => {
        forget();
        resolve(value);
      },
      error => {
        forget();
        reject(error);
      },
    );
  });
}

/** Waits, but not longer than the deadline; {@link Deadline.isOver} tells which came first. */
export function sleep(milliseconds: number, deadline: Deadline): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise(resolve => {
    const stopTimer = startTimer(done, milliseconds);
    const forget = deadline.onOver(done);
    function done(): void {
      stopTimer();
      forget();
      resolve();
    }
  });
}

/** Max delay of a timer in Node; longer ones fire at once. */
const longestTimer = 0x7fffffff;

/**
 * Calls `react` after some milliseconds, never earlier; returns a function that stops the timer. Node's own timers count whole
 * milliseconds and may fire up to two of them early, so that the deadline of a webhook could expire before the equal one of its request.
 */
export function startTimer(react: () => void, milliseconds: number): () => void {
  const end = monotonicMs() + milliseconds;
  let timer = setTimeout(check, Math.min(milliseconds, longestTimer));
  function check(): void {
    const left = end - monotonicMs();
    if (left > 0) timer = setTimeout(check, Math.min(Math.ceil(left), longestTimer));
    else react();
  }
  return () => clearTimeout(timer);
}
