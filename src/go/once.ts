/** Returns a function that computes its value on the first call. Errors are not kept. Source: sync.OnceValue. */
export function onceValue<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** Memoizes a function of a string for the last string it was called with. */
export function forLastText<V>(compute: (text: string) => V): (text: string) => V {
  let last: { readonly text: string; readonly value: V } | undefined;
  return text => {
    if (last?.text !== text) last = { text, value: compute(text) };
    return last.value;
  };
}
