import { memoizeStrings } from '../kubernetes/memoize.js';
import { type Compilation, compileCondition } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { matchConditionEnvironment } from './environment/admission.js';

/** A match condition, compiled the first time it is asked for. Throws AbortedConnection for what makes the API server panic. */
export const compiledCondition: (expression: string) => Compilation = memoizeStrings(1000, expression =>
  compileOrAbort(() => compileCondition(expression, matchConditionEnvironment())),
);
