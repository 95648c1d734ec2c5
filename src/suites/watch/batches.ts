/** Gathers what happens, and hands it on together. */
export interface Batches<T> {
  readonly add: (item: T) => void;
  /** Hands nothing on any more. Settles when the last batch is done with. */
  readonly close: () => Promise<void>;
}

/**
 * Hands items on, each once a batch, when nothing has come for so many milliseconds, and the batch before is done with: saving one file is several
 * events, checking out a branch is hundreds. `handle` must not reject.
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
