import { AbortedConnection } from '../kubernetes/status.js';
import { type Compilation, compileCondition } from './compile.js';
import { matchConditionEnvironment } from './environment/admission.js';
import { GoPanic } from './values/go-panic.js';

/** A match condition, compiled the first time it is asked for. Throws AbortedConnection for what makes the API server panic. */
export function compiledCondition(expression: string): Compilation {
  const known = compiled.get(expression);
  if (known !== undefined) return known;
  const made = compile(expression);
  if (compiled.size >= mostKept) compiled.clear();
  compiled.set(expression, made);
  return made;
}

const mostKept = 1000;
const compiled = new Map<string, Compilation>();

function compile(expression: string): Compilation {
  try {
    return compileCondition(expression, matchConditionEnvironment());
  } catch (error) {
    if (error instanceof GoPanic) throw new AbortedConnection(`compiling the expression panics: ${error.message}`);
    throw error;
  }
}
