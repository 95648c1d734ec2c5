/** Keys of objects that a controller handles: each once at a time, and again when it was added meanwhile. */
export interface WorkQueue {
  add(key: string): void;
  /** Reports whether no key is waiting or handled; those that wait for their next try do not count. */
  isIdle(): boolean;
  /** Resolves when the queue is idle. */
  settled(): Promise<void>;
}

const firstDelayMs = 5;
const maxDelayMs = 1_000_000;

/**
 * Creates a queue whose keys are handled by `sync`, at most `workers` at a time. A key that fails is tried again, each time after twice the
 * delay. Source: client-go util/workqueue DefaultTypedControllerRateLimiter.
 */
export function newWorkQueue(workers: number, sync: (key: string) => Promise<void>): WorkQueue {
  const running = new Set<string>();
  const waiting = new Set<string>();
  const failures = new Map<string, number>();
  let waiters: (() => void)[] = [];
  const isIdle = (): boolean => running.size === 0 && waiting.size === 0;
  const retry = (key: string): void => {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    setTimeout(() => add(key), Math.min(firstDelayMs * 2 ** count, maxDelayMs)).unref();
  };
  const handle = async (key: string): Promise<void> => {
    try {
      await sync(key);
      failures.delete(key);
    } catch {
      // The controllers tell their failures in the status of the object.
      retry(key);
    }
    running.delete(key);
    startNext();
    if (!isIdle()) return;
    const done = waiters;
    waiters = [];
    for (const resolve of done) resolve();
  };
  const startNext = (): void => {
    for (const key of [...waiting]) {
      if (running.size >= workers) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      running.add(key);
      void handle(key);
    }
  };
  const add = (key: string): void => {
    waiting.add(key);
    startNext();
  };
  return { add, isIdle, settled: () => (isIdle() ? Promise.resolve() : new Promise(resolve => waiters.push(resolve))) };
}
