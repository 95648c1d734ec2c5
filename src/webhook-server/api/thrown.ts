import type { Status } from '../../kubernetes/status.js';

/**
 * Returns a Status thrown by a defaulter or validator, itself or in its `cause` chain; undefined when there is none. Recognized by its
 * shape, because two copies of the package may be loaded.
 */
export function statusOfThrown(thrown: unknown): Partial<Status> | undefined {
  const seen = new Set<unknown>();
  for (let at = thrown; typeof at === 'object' && at !== null && !seen.has(at); at = 'cause' in at ? at.cause : undefined) {
    seen.add(at);
    if ('status' in at && typeof at.status === 'object' && at.status !== null && !Array.isArray(at.status)) return at.status;
  }
  return undefined;
}

const engineErrors: ReadonlySet<string> = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'EvalError',
  'URIError',
  'AssertionError',
]);

/**
 * Reports whether a thrown value indicates a bug, for which Go would panic: a value that is not an Error, or one of the engine's own
 * errors.
 */
export function isPanic(thrown: unknown): boolean {
  if (!(thrown instanceof Error) && !looksLikeError(thrown)) return true;
  // Subclasses with a different name are thrown on purpose.
  return engineErrors.has((thrown as Error).name);
}

/** Reports whether the value is an Error of another realm. */
function looksLikeError(thrown: unknown): boolean {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}
