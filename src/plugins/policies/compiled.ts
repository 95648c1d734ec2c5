import type { Compilation } from '../../cel/compile.js';
import { type PolicyExpression, policyCompiler } from '../../cel/compiled-policy.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Policy } from './policy.js';

/** Expressions of a policy, compiled in its order; those that do not compile fail when they are evaluated. */
export interface CompiledPolicy {
  /** By name; of several with one name the last. */
  readonly variables: ReadonlyMap<string, Compilation>;
  readonly conditions: ReadonlyMap<string, Compilation>;
  readonly validations: readonly Compilation[];
  /** Undefined where the validation has no messageExpression. */
  readonly messages: readonly (Compilation | undefined)[];
  readonly annotations: readonly Compilation[];
  readonly mutations: readonly Compilation[];
}

/** Compiles a policy once. Source: apiserver policy/validating/plugin.go, policy/mutating/compilation.go, compilePolicy. */
export const compiledPolicy: (policy: Policy) => CompiledPolicy = memoize(policy => {
  const compiler = policyCompiler(true);
  const hasParams = policy.paramKind !== undefined;
  const named = (expression: string, comesTo: PolicyExpression['comesTo']): PolicyExpression => ({
    expression,
    comesTo,
    hasParams,
    // Messages know no authorizer.
    hasAuthorizer: comesTo !== 'message',
  });
  const compile = (expression: string, comesTo: PolicyExpression['comesTo']) => compiler.compile(named(expression, comesTo));
  return {
    variables: new Map(policy.variables.map(v => [v.name, compiler.declare(v.name, named(v.expression, 'anything'))])),
    conditions: new Map(policy.matchConditions.map(({ expression }) => [expression, compile(expression, 'condition')])),
    validations: policy.validations.map(({ expression }) => compile(expression, 'condition')),
    messages: policy.validations.map(v => (v.messageExpression === '' ? undefined : compile(v.messageExpression, 'message'))),
    annotations: policy.auditAnnotations.map(({ valueExpression }) => compile(valueExpression, 'annotation')),
    mutations: policy.mutations.map(m => compile(m.expression, m.patchType === 'JSONPatch' ? 'patches' : 'object')),
  };
});
