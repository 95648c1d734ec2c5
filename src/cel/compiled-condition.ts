import type { ApiServer } from '../kubernetes/api-server.js';
import { memoize, memoizeStrings } from '../kubernetes/memoize.js';
import { matchConditionEnvironment } from './environment/admission.js';
import { type ExpressionUse, effectiveUse } from './environment/environment.js';
import { type Compilation, compileCondition } from './program/compile.js';
import { compileOrAbort } from './program/compile-or-abort.js';

/**
 * Returns a match condition, compiled on first use and memoized. Throws AbortedConnection for expressions that make the API server panic.
 */
export function compiledCondition(server: ApiServer, expression: string, use: ExpressionUse = 'stored'): Compilation {
  return compilers(server)[effectiveUse(server, use)](expression);
}

const compilers = memoize((server: ApiServer) => ({ new: compilerFor(server, 'new'), stored: compilerFor(server, 'stored') }));

function compilerFor(server: ApiServer, use: ExpressionUse): (expression: string) => Compilation {
  return memoizeStrings(1000, expression => compileOrAbort(() => compileCondition(expression, matchConditionEnvironment(server, use))));
}
