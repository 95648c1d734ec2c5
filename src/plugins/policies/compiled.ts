import { type PolicyExpression, policyCompiler } from '../../cel/compiled-policy.js';
import type { Compilation } from '../../cel/program/compile.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { AdmissionPolicy } from './policy.js';

/** Compiled expressions of a policy, in order; those that do not compile fail when they are evaluated. */
export interface CompiledPolicy {
  /** By name; the last of several with one name. */
  readonly variables: ReadonlyMap<string, Compilation>;
  readonly conditions: ReadonlyMap<string, Compilation>;
  readonly validations: readonly Compilation[];
  /** Undefined where the validation has no messageExpression. */
  readonly messages: readonly (Compilation | undefined)[];
  readonly annotations: readonly Compilation[];
  readonly mutations: readonly Compilation[];
}

/** Compiles a policy, cached. Source: apiserver policy/validating/plugin.go, policy/mutating/compilation.go, compilePolicy. */
export function compiledPolicy(server: ApiServer, policy: AdmissionPolicy): CompiledPolicy {
  return compiledBy(server)(policy);
}

const compiledBy = memoize((server: ApiServer) => memoize((policy: AdmissionPolicy) => compile(server, policy)));

function compile(server: ApiServer, policy: AdmissionPolicy): CompiledPolicy {
  const compiler = policyCompiler(server, true);
  const hasParams = policy.paramKind !== undefined;
  const named = (expression: string, comesTo: PolicyExpression['comesTo']): PolicyExpression => ({
    expression,
    comesTo,
    hasParams,
    // Messages have no authorizer.
    hasAuthorizer: comesTo !== 'message',
  });
  const compiled = (expression: string, comesTo: PolicyExpression['comesTo']) => compiler.compile(named(expression, comesTo));
  return {
    variables: new Map(policy.variables.map(v => [v.name, compiler.declare(v.name, named(v.expression, 'anything'))])),
    conditions: new Map(policy.matchConditions.map(({ expression }) => [expression, compiled(expression, 'condition')])),
    validations: policy.validations.map(({ expression }) => compiled(expression, 'condition')),
    messages: policy.validations.map(v => (v.messageExpression === '' ? undefined : compiled(v.messageExpression, 'message'))),
    annotations: policy.auditAnnotations.map(({ valueExpression }) => compiled(valueExpression, 'annotation')),
    mutations: policy.mutations.map(m => compiled(m.expression, m.patchType === 'JSONPatch' ? 'patches' : 'object')),
  };
}
