import type { ApiServer } from '../kubernetes/api-server.js';
import type { Compilation } from './compile.js';
import type { PolicyCompiler } from './compiled-policy.js';
import type { CompiledSelector } from './compiled-selector.js';
import type { ExpressionUse } from './environment/environment.js';

/** Compiles match conditions. */
export type ConditionCompiler = (expression: string) => Compilation;

/** Compiles match conditions that are new, or were stored before. */
export type UsedConditionCompiler = (server: ApiServer, expression: string, use: ExpressionUse) => Compilation;

/** Compiles device selectors and estimates their cost. */
export type SelectorCompiler = (server: ApiServer, expression: string) => CompiledSelector;

/** Loads the compiler of match conditions. Loaded lazily: most calls do not need it, and checking objects is synchronous. */
export async function loadConditionCompiler(): Promise<void> {
  condition ??= (await import('./compiled-condition.js')).compiledCondition;
}

/** Loads the compiler of policy expressions. */
export async function loadPolicyCompiler(): Promise<void> {
  policy ??= (await import('./compiled-policy.js')).policyCompiler;
}

/** Loads the compiler of device selectors. */
export async function loadSelectorCompiler(): Promise<void> {
  selector ??= (await import('./compiled-selector.js')).compiledSelector;
}

/** Returns the compiler of match conditions. Throws when it is not loaded. */
export function conditionCompiler(): UsedConditionCompiler {
  return loaded(condition);
}

/** Returns the compiler of device selectors. Throws when it is not loaded. */
export function selectorCompiler(): SelectorCompiler {
  return loaded(selector);
}

/** Returns the compiler of a policy's expressions, with or without variables. Throws when it is not loaded. */
export function newPolicyCompiler(server: ApiServer, hasVariables: boolean): PolicyCompiler {
  return loaded(policy)(server, hasVariables);
}

function loaded<T>(compiler: T | undefined): T {
  if (compiler === undefined) throw new Error('the compiler of expressions is not loaded');
  return compiler;
}

let condition: UsedConditionCompiler | undefined;
let selector: SelectorCompiler | undefined;
let policy: ((server: ApiServer, hasVariables: boolean) => PolicyCompiler) | undefined;
