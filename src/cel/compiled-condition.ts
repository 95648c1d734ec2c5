import { perMinor } from '../kubernetes/kubernetes-version.js';
import { memoizeStrings } from '../kubernetes/memoize.js';
import { type Compilation, compileCondition } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { matchConditionEnvironment } from './environment/admission.js';
import { type ExpressionUse, effectiveUse } from './environment/environment.js';

/**
 * Returns a match condition, compiled on first use and memoized. Throws AbortedConnection for expressions that make the API server panic.
 */
export function compiledCondition(expression: string, use: ExpressionUse = 'stored'): Compilation {
  return compilers()[effectiveUse(use)](expression);
}

const compilers = perMinor(() => ({ new: compilerFor('new'), stored: compilerFor('stored') }));

function compilerFor(use: ExpressionUse): (expression: string) => Compilation {
  return memoizeStrings(1000, expression => compileOrAbort(() => compileCondition(expression, matchConditionEnvironment(use))));
}
