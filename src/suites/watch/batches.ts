/** Collects items into batches. */
export interface Batches<T> {
  readonly add: (item: T) => void;
  /** Stops delivering. Resolves when the last batch is handled. */
  readonly close: () => Promise<void>;
}

/**
 * Delivers items in batches, each once per batch, after a quiet period of some milliseconds and after the previous batch is handled: saving
 * a file gives several events, checking out a branch hundreds. `handle` must not reject.
 */
export function batches<T>(quietMs: number, handle: (items: readonly T[]) => Promise<void>): Batches<T> {
  const waiting = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  let handling: Promise<void> | undefined;
  const flush = (): void => {
    timer = undefined;
    if (handling !== undefined || waiting.size === 0) return;
    const items = [...waiting];
    waiting.clear();
    handling = handle(items).finally(() => {
      handling = undefined;
      if (waiting.size > 0 && timer === undefined) timer = setTimeout(flush, quietMs);
    });
  };
  return {
    add: item => {
      waiting.add(item);
      clearTimeout(timer);
      timer = setTimeout(flush, quietMs);
    },
    close: async () => {
      await handling;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
