import { monotonicMs } from './clock.js';
import { deadlineExceeded, type TransportError } from './transport-error.js';

/** The time one call may take, over all its stages, redirects and attempts. */
export interface Deadline {
  /** Milliseconds that are left; 0 when it has passed. */
  remainingMs(): number;
  isOver(): boolean;
  /** Calls `react` once the deadline passes, at once if it has. Answers a function that forgets it. */
  onOver(react: (reason: TransportError) => void): () => void;
  /** Ends the clock; nothing is called any more. */
  stop(): void;
}

/** Starts the clock, which is monotonic: setting the machine's time changes nothing. */
export function startDeadline(milliseconds: number): Deadline {
  const end = monotonicMs() + milliseconds;
  const waiting = new Set<(reason: TransportError) => void>();
  let over = milliseconds <= 0;
  const timer = over ? undefined : setTimeout(expire, milliseconds);

  function expire(): void {
    over = true;
    const reason = deadlineExceeded();
    for (const react of [...waiting]) react(reason);
    waiting.clear();
  }

  return {
    remainingMs: () => (over ? 0 : Math.max(0, end - monotonicMs())),
    isOver: () => over,
    onOver(react) {
      if (over) {
        react(deadlineExceeded());
        return () => undefined;
      }
      waiting.add(react);
      return () => waiting.delete(react);
    },
    stop() {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** What comes of work, or the deadline's error when that comes first. */
export function beforeDeadline<T>(work: Promise<T>, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = deadline.onOver(reject);
    work.then(resolve, reject).finally(forget);
  });
}

/** Waits, at most until the deadline; which of the two came first is for {@link Deadline.isOver} to say. */
export function sleep(milliseconds: number, deadline: Deadline): Promise<void> {
  if (milliseconds <= 0) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(done, Math.min(milliseconds, longestTimer));
    const forget = deadline.onOver(done);
    function done(): void {
      clearTimeout(timer);
      forget();
      resolve();
    }
  });
}

/** What a timer of Node can hold; any deadline is shorter. */
const longestTimer = 0x7fffffff;
