/** A wait that can be cut short. */
export interface Pause {
  readonly over: Promise<void>;
  /** Forgets it: it keeps nobody from exiting, and is never over. */
  readonly cancel: () => void;
}

/** Waits so many milliseconds. */
export function pause(ms: number): Pause {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(ms, 0));
  });
  return { over, cancel: () => clearTimeout(timer) };
}
