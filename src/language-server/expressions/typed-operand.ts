import type { Environment } from '../../cel/environment/environment.js';
import { compileExpression } from '../../cel/program/compile.js';
import { DYN, INT, type Type } from '../../cel/values/type.js';
import type { MacroVariable } from './open-expression.js';

/** Returns an environment with the variables of the macros around a place. */
export function withMacroVariables(environment: Environment, variables: readonly MacroVariable[]): Environment {
  let whole = environment;
  for (const variable of variables) {
    const type = typeOfVariable(variable, whole);
    whole = { ...whole, variables: new Map([...whole.variables, [variable.name, { name: variable.name, type }]]) };
  }
  return whole;
}

function typeOfVariable({ of, takes }: MacroVariable, environment: Environment): Type {
  const type = typeOfOperand(of, environment);
  const [first = DYN, second = DYN] = type?.parameters ?? [];
  if (type?.kind === 'list') return takes === 'index' ? INT : first;
  if (type?.kind === 'map') return takes === 'value' ? second : first;
  return takes === 'content' ? first : DYN;
}

/** Returns the type of an expression; undefined if it does not compile. */
export function typeOfOperand(text: string, environment: Environment): Type | undefined {
  try {
    const compiled = compileExpression(text, environment);
    return compiled.outcome === 'compiled' ? compiled.program.type : undefined;
  } catch {
    // Some expressions make the API server panic.
    return undefined;
  }
}
