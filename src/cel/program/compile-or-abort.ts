import { AbortedConnection } from '../../kubernetes/status.js';
import { GoPanic } from '../values/go-panic.js';

/** Compiles an expression while serving a request; a panic aborts the connection. Throws AbortedConnection. */
export function compileOrAbort<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof GoPanic) throw new AbortedConnection(`compiling the expression panics: ${error.message}`);
    throw error;
  }
}
