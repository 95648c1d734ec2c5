/** Runs a function with a signal of its own, which is aborted with another one. That one may last much longer: it keeps nothing of what listens to the own one. */
export async function withOwnSignal<T>(signal: AbortSignal, run: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const abort = (): void => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await run(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
