/** Thrown for a value with more levels than can be read again. */
export class TooDeep extends RangeError {}

/** Reports whether a value is nested too deeply: the API server accepts 10,000 levels, which may exceed JavaScript's stack. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof TooDeep || (error instanceof RangeError && error.message === 'Maximum call stack size exceeded');
}
