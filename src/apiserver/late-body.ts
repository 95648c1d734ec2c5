import { whenAsked } from '../kubernetes/remembered.js';

/** An answer with a body that is written when somebody first reads it: most are never read. */
export function withLateBody<T extends object>(head: T, write: () => string): T & { readonly body: string } {
  const text = whenAsked(write);
  return {
    ...head,
    get body() {
      return text();
    },
  };
}
