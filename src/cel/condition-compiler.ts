import type { Compilation } from './compile.js';
import type { PolicyCompiler } from './compiled-policy.js';
import type { CompiledSelector } from './compiled-selector.js';
import type { ExpressionUse } from './environment/environment.js';

/** Compiles match conditions. */
export type ConditionCompiler = (expression: string) => Compilation;

/** The same for expressions that are new, or were stored before. */
export type UsedConditionCompiler = (expression: string, use: ExpressionUse) => Compilation;

/** Compiles selectors of devices and tells what they may cost. */
export type SelectorCompiler = (expression: string) => CompiledSelector;

/** Loads what compiles match conditions: most calls never need it, and checking objects does not wait for anything. */
export async function loadConditionCompiler(): Promise<void> {
  condition ??= (await import('./compiled-condition.js')).compiledCondition;
}

/** The same for the expressions of policies. */
export async function loadPolicyCompiler(): Promise<void> {
  policy ??= (await import('./compiled-policy.js')).policyCompiler;
}

/** The same for selectors of devices. */
export async function loadSelectorCompiler(): Promise<void> {
  selector ??= (await import('./compiled-selector.js')).compiledSelector;
}

/** What compiles match conditions. Throws when it was not loaded. */
export function conditionCompiler(): UsedConditionCompiler {
  return loaded(condition);
}

/** What compiles selectors of devices. Throws when it was not loaded. */
export function selectorCompiler(): SelectorCompiler {
  return loaded(selector);
}

/** What compiles the expressions of a policy, with variables or without any. Throws when it was not loaded. */
export function newPolicyCompiler(hasVariables: boolean): PolicyCompiler {
  return loaded(policy)(hasVariables);
}

function loaded<T>(compiler: T | undefined): T {
  if (compiler === undefined) throw new Error('the compiler of expressions is not loaded');
  return compiler;
}

let condition: UsedConditionCompiler | undefined;
let selector: SelectorCompiler | undefined;
let policy: ((hasVariables: boolean) => PolicyCompiler) | undefined;
