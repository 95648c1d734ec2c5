import { type Compilation, compileCondition } from './compile.js';
import { compileOrAbort } from './compile-or-abort.js';
import { matchConditionEnvironment } from './environment/admission.js';

/** A match condition, compiled the first time it is asked for. Throws AbortedConnection for what makes the API server panic. */
export function compiledCondition(expression: string): Compilation {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const made = compileOrAbort(() => compileCondition(expression, matchConditionEnvironment()));
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(expression, made);
  return made;
}

const mostKept = 1000;
const compiled = new Map<string, Compilation>();
