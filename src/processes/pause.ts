/** A cancelable delay. */
export interface Pause {
  readonly over: Promise<void>;
  /** Cancels the delay: it never resolves, and does not keep the process alive. */
  readonly cancel: () => void;
}

/** Delays by a number of milliseconds. */
export function pause(ms: number): Pause {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(ms, 0));
  });
  return { over, cancel: () => clearTimeout(timer) };
}
