import type { Compilation } from './compile.js';

/** Compiles a match condition. */
export type ConditionCompiler = (expression: string) => Compilation;

/** Loads what compiles expressions: most calls never need it, and checking objects does not wait for anything. */
export async function loadConditionCompiler(): Promise<void> {
  loaded ??= (await import('./compiled-condition.js')).compiledCondition;
}

/** What was loaded. Throws when nothing was. */
export function conditionCompiler(): ConditionCompiler {
  if (loaded === undefined) throw new Error('the compiler of expressions is not loaded');
  return loaded;
}

let loaded: ConditionCompiler | undefined;
