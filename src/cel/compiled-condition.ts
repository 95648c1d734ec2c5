import { memoizeStrings } from '../kubernetes/memoize.js';
import { type Compilation, compileCondition } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { matchConditionEnvironment } from './environment/admission.js';

/**
 * Returns a match condition, compiled on first use and memoized. Throws AbortedConnection for expressions that make the API server panic.
 */
export const compiledCondition: (expression: string) => Compilation = memoizeStrings(1000, expression =>
  compileOrAbort(() => compileCondition(expression, matchConditionEnvironment())),
);
