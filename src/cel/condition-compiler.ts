import type { Compilation } from './compile.js';

/** Compiles an expression of one kind. */
export type ExpressionCompiler = (expression: string) => Compilation;

/** Loads what compiles match conditions: most calls never need it, and checking objects does not wait for anything. */
export async function loadConditionCompiler(): Promise<void> {
  condition ??= (await import('./compiled-condition.js')).compiledCondition;
}

/** The same for selectors of devices. */
export async function loadSelectorCompiler(): Promise<void> {
  selector ??= (await import('./compiled-selector.js')).compiledSelector;
}

/** What compiles match conditions. Throws when it was not loaded. */
export function conditionCompiler(): ExpressionCompiler {
  return loaded(condition);
}

/** What compiles selectors of devices. Throws when it was not loaded. */
export function selectorCompiler(): ExpressionCompiler {
  return loaded(selector);
}

function loaded(compiler: ExpressionCompiler | undefined): ExpressionCompiler {
  if (compiler === undefined) throw new Error('the compiler of expressions is not loaded');
  return compiler;
}

let condition: ExpressionCompiler | undefined;
let selector: ExpressionCompiler | undefined;
