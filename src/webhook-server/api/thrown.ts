import type { Status } from '../../kubernetes/status.js';

/** A Status that a defaulter or validator throws, itself or along `cause`; undefined when there is none. Recognized by its shape: two copies of the package may be loaded. */
export function statusOf(thrown: unknown): Partial<Status> | undefined {
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

/** True for what points to a bug, which Go would panic with: a value that is not an Error, and the engine's own errors. */
export function isPanic(thrown: unknown): boolean {
  if (!(thrown instanceof Error) && !looksLikeError(thrown)) return true;
  // Subclasses of them say by another name that they are thrown on purpose.
  return engineErrors.has((thrown as Error).name);
}

/** An Error of another realm. */
function looksLikeError(thrown: unknown): boolean {
  return Object.prototype.toString.call(thrown) === '[object Error]';
}
