import { perMinor } from '../kubernetes/kubernetes-version.js';
import { rememberedTexts } from '../kubernetes/remembered.js';
import { type Compilation, compileCondition } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { matchConditionEnvironment } from './environment/admission.js';
import { type ExpressionUse, effectiveUse } from './environment/environment.js';

/** A match condition, compiled the first time it is asked for. Throws AbortedConnection for what makes the API server panic. */
export function compiledCondition(expression: string, use: ExpressionUse = 'stored'): Compilation {
  return compilers()[effectiveUse(use)](expression);
}

const compilers = perMinor(() => ({ new: compilerFor('new'), stored: compilerFor('stored') }));

function compilerFor(use: ExpressionUse): (expression: string) => Compilation {
  return rememberedTexts(1000, expression => compileOrAbort(() => compileCondition(expression, matchConditionEnvironment(use))));
}
